#!/usr/bin/env python3
"""Checks an exported ONNX file with onnxruntime against the answers that tribord wrote beside it.

    tribord export NET --format onnx --out net.onnx --positions positions.json
    check_export.py net.onnx positions.json

The second file is a certificate (eight samples) or what --positions writes (all of them). Every sample is
run in batches of 1, 2, 7 and 256; samples are repeated to fill a batch. A net for every board size gets
boards of different sizes in one batch, each in the top left corner, with the mask. Logits and values must
be within 1e-4 of tribord's and the best legal move must be the same, or the exit code is 1.

Needs numpy and onnxruntime; where the package onnx is there too, it checks the file's form.
"""

import argparse
import hashlib
import itertools
import json
import re
import sys

import numpy as np
import onnxruntime

BATCHES = (1, 2, 7, 256)
TOLERANCE = 1e-4
OPERATORS = set(
    "Add Concat Conv Div Flatten Gather Gemm MatMul Mul ReduceMax ReduceSum Relu Reshape Softmax Sub "
    "Transpose Unsqueeze".split()
)


class Fault(Exception):
    """What is wrong with the file."""


def check_form(path, session):
    """Names, types and axes; with the package onnx also the graph itself."""
    inputs, outputs = session.get_inputs(), session.get_outputs()
    names = [value.name for value in inputs], [value.name for value in outputs]
    if names[0] not in (["planes"], ["planes", "mask"]) or names[1] != ["policy", "outcomes", "value"]:
        raise Fault(f"inputs and outputs are called {names}")
    for value in inputs + outputs:
        if value.type != "tensor(float)" or value.shape[0] != "batch":
            raise Fault(f"{value.name} is {value.type} of shape {value.shape}")
    try:
        import onnx
    except ImportError:
        return "form checked by onnxruntime alone"
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    foreign = {node.op_type for node in model.graph.node} - OPERATORS
    if foreign:
        raise Fault(f"operators beyond the list: {sorted(foreign)}")
    opset = [(entry.domain, entry.version) for entry in model.opset_import]
    return f"IR {model.ir_version}, operator set {opset[0][1]}, checked by onnx {onnx.__version__}"


class Sample:
    """A position with tribord's answers."""

    def __init__(self, entry, policy_planes):
        self.rows, self.columns = entry["board"]
        self.planes = np.array(entry["planes"], np.float32).reshape(-1, self.rows, self.columns)
        self.policy, self.outcomes = (np.array(entry[name]) for name in ("policy", "outcomes"))
        self.value, self.legal, self.best = entry["value"], entry["legal"], entry["best"]
        self.policy_planes = policy_planes

    def own_policy(self, policy, rows, columns):
        """The logits of this board out of those of the larger board that it lies on."""
        if self.policy_planes is None:
            return policy
        points = self.policy_planes * rows * columns
        planes = policy[:points].reshape(self.policy_planes, rows, columns)
        planes = planes[:, : self.rows, : self.columns]
        return np.concatenate([planes.ravel(), policy[points:]])


def run(session, samples):
    """Answers of one batch, each as policy, outcomes and value."""
    rows, columns = max(s.rows for s in samples), max(s.columns for s in samples)
    planes = np.zeros((len(samples), samples[0].planes.shape[0], rows, columns), np.float32)
    mask = np.zeros((len(samples), 1, rows, columns), np.float32)
    for place, sample in enumerate(samples):
        planes[place, :, : sample.rows, : sample.columns] = sample.planes
        mask[place, :, : sample.rows, : sample.columns] = 1
    inputs = {"planes": planes, "mask": mask}
    wanted = {value.name for value in session.get_inputs()}
    answers = session.run(
        ["policy", "outcomes", "value"], {name: inputs[name] for name in inputs if name in wanted}
    )
    for sample, policy, outcomes, value in zip(samples, *answers):
        yield sample.own_policy(policy, rows, columns), outcomes, value


def check_batches(session, samples, batch):
    """The largest differences over all samples; the same best move in each."""
    worst = {"policy": 0.0, "outcomes": 0.0, "value": 0.0}
    count = max(len(samples), batch)
    order = list(itertools.islice(itertools.cycle(samples), count + -count % batch))
    for begin in range(0, len(order), batch):
        part = order[begin : begin + batch]
        for sample, (policy, outcomes, value) in zip(part, run(session, part)):
            for name, ours, theirs in (
                ("policy", policy, sample.policy),
                ("outcomes", outcomes, sample.outcomes),
                ("value", value, sample.value),
            ):
                off = float(np.max(np.abs(ours - theirs)))
                # A number that is none is no small difference.
                if not off < TOLERANCE:
                    raise Fault(f"batch {batch}: a {name} is off by {off:.2e}")
                worst[name] = max(worst[name], off)
            best = sample.legal[int(np.argmax(policy[sample.legal]))]
            if best != sample.best:
                raise Fault(f"batch {batch}: the best move is {best} in place of {sample.best}")
    return worst


def read_answers(path):
    """The certificate, or the document of --positions, in a file."""
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except ValueError as fault:
        raise Fault(f"{path} is damaged or no JSON ({fault})") from fault
    parts = {"files", "samples", "game", "rules", "encoding", "step", "hash"}
    if not isinstance(document, dict) or not parts <= document.keys():
        raise Fault(f"{path} is neither a certificate nor a document of --positions")
    return document


def check(path, answers):
    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    document = read_answers(answers)
    stated = document["files"]["onnx"]["sha256"]
    if digest != stated:
        raise Fault(f"its SHA-256 is {digest}, and {answers} is about {stated}")
    try:
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    except Exception as fault:  # onnxruntime's own faults have no common class
        raise Fault(f"onnxruntime refuses it ({fault})") from fault
    print(check_form(path, session))
    texts = session.get_modelmeta().custom_metadata_map
    for key in ("game", "rules", "encoding", "step", "hash"):
        if texts.get(key) != str(document[key]):
            raise Fault(f"its {key} is {texts.get(key)}, and {answers} says {document[key]}")
    every_size = re.match(r"(\d+) \* rows \* columns", texts["policy"])
    samples = [
        Sample(entry, int(every_size[1]) if every_size else None) for entry in document["samples"]
    ]
    boards = sorted({(sample.rows, sample.columns) for sample in samples})
    print(f"{texts['game']}, step {texts['step']}: {len(samples)} samples, boards {boards}")
    for batch in BATCHES:
        worst = check_batches(session, samples, batch)
        shown = ", ".join(f"{name} {off:.1e}" for name, off in worst.items())
        print(f"batch {batch}: largest differences {shown}; the same best moves")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("net", help="the ONNX file")
    parser.add_argument("answers", help="the certificate, or the file of --positions")
    args = parser.parse_args()
    try:
        check(args.net, args.answers)
    except OSError as fault:
        sys.exit(f"{fault.filename}: {fault.strerror}")
    except Fault as fault:
        sys.exit(f"{args.net}: {fault}")
    print(f"{args.net}: ok, with onnxruntime {onnxruntime.__version__}")


if __name__ == "__main__":
    main()
