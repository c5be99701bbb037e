#!/usr/bin/env python3
"""Checks an exported ONNX file with onnxruntime against the answers that tribord wrote beside it.

    tribord export NET --format onnx --out net.onnx --positions positions.json
    check_export.py net.onnx positions.json

The second file is a certificate (eight samples) or what --positions writes (all of them). Every sample is
run in batches of 1, 2, 7 and 256; samples are repeated to fill a batch. A net for every board size gets
boards of different sizes in one batch, each in the top left corner, with the mask. Logits and values must
be within 1e-4 of tribord's and the best legal move must be the same, or the exit code is 1. It is 2 where
a file is missing or is no such file, and where a package is missing.

Needs numpy and onnxruntime; where the package onnx is there too, it checks the file's form.
"""

import argparse
import hashlib
import itertools
import json
import os
import re
import sys

try:
    import numpy as np
    import onnxruntime
# A build whose libraries are missing raises more than ImportError.
except (ImportError, OSError, ValueError) as error:
    MISSING = error
else:
    MISSING = None

FORMAT = 1
BATCHES = (1, 2, 7, 256)
TOLERANCE = 1e-4
OPERATORS = set(
    "Add Concat Conv Div Flatten Gather Gemm MatMul Mul ReduceMax ReduceSum Relu Reshape Softmax Sub "
    "Transpose Unsqueeze".split()
)


class Fault(Exception):
    """What is wrong with the net."""


class Unusable(Exception):
    """A file that cannot be read, or is not of its kind."""


def one_line(error):
    return " ".join(str(error).split())


def check_form(path, session):
    """Names, types and axes; with the package onnx also the graph itself."""
    inputs, outputs = session.get_inputs(), session.get_outputs()
    names = [value.name for value in inputs], [value.name for value in outputs]
    if names[0] not in (["planes"], ["planes", "mask"]) or names[1] != ["policy", "outcomes", "value"]:
        raise Fault(f"inputs and outputs are called {names}")
    for value in inputs + outputs:
        if value.type != "tensor(float)" or value.shape[:1] != ["batch"]:
            raise Fault(f"{value.name} is {value.type} of shape {value.shape}")
    try:
        import onnx
    except ImportError:
        return "form checked by onnxruntime alone"
    try:
        model = onnx.load(path)
        onnx.checker.check_model(model, full_check=True)
    except Exception as error:
        raise Fault(f"the package onnx refuses it: {one_line(error)}") from error
    foreign = {node.op_type for node in model.graph.node} - OPERATORS
    if foreign:
        raise Fault(f"operators beyond the list: {sorted(foreign)}")
    opset = [(entry.domain, entry.version) for entry in model.opset_import]
    return f"IR {model.ir_version}, operator set {opset[0][1]}, checked by onnx {onnx.__version__}"


class Sample:
    """A position with tribord's answers."""

    def __init__(self, entry):
        self.rows, self.columns = entry["board"]
        self.planes = np.array(entry["planes"], np.float32).reshape(-1, self.rows, self.columns)
        self.policy, self.outcomes = (np.array(entry[name], float) for name in ("policy", "outcomes"))
        self.value, self.legal, self.best = float(entry["value"]), entry["legal"], entry["best"]
        # Equal numbers of other types, such as 1.0 or true, index nothing.
        whole = all(type(move) is int for move in [self.best, *self.legal])
        if not whole or self.best not in self.legal or not set(self.legal) <= set(range(len(self.policy))):
            raise ValueError("a best or legal move is no policy index")

    def own_policy(self, policy, policy_planes, rows, columns):
        """The logits of this board out of those of the larger board that it lies on."""
        if policy_planes is None:
            return policy
        points = policy_planes * rows * columns
        planes = policy[:points].reshape(policy_planes, rows, columns)
        planes = planes[:, : self.rows, : self.columns]
        return np.concatenate([planes.ravel(), policy[points:]])


class Answers:
    """What tribord wrote beside an export."""

    def __init__(self, path):
        self.path = path
        try:
            with open(path, encoding="utf-8") as file:
                document = json.load(file)
        except OSError as error:
            raise Unusable(f"{path}: {error.strerror}") from error
        except (ValueError, RecursionError) as error:
            raise Unusable(f"{path}: no JSON document, or a part of one: {error}") from error
        kind = f"{path}: no certificate of tribord"
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise Unusable(f"{kind} of format {FORMAT}")
        try:
            self.sha256 = document["files"]["onnx"]["sha256"]
            self.stated = {key: str(document[key]) for key in ("game", "rules", "encoding", "step", "hash")}
            self.samples = [Sample(entry) for entry in document["samples"]]
        except KeyError as error:
            raise Unusable(f"{kind}: {error} is missing") from error
        except (TypeError, ValueError) as error:
            raise Unusable(f"{kind}: {error}") from error
        if not self.samples:
            raise Unusable(f"{kind}: there are no samples")
        if len({len(sample.planes) for sample in self.samples}) > 1:
            raise Unusable(f"{kind}: the numbers of planes differ")


def run(session, samples, policy_planes):
    """Answers of one batch, each as policy, outcomes and value."""
    rows, columns = max(s.rows for s in samples), max(s.columns for s in samples)
    planes = np.zeros((len(samples), samples[0].planes.shape[0], rows, columns), np.float32)
    mask = np.zeros((len(samples), 1, rows, columns), np.float32)
    for place, sample in enumerate(samples):
        planes[place, :, : sample.rows, : sample.columns] = sample.planes
        mask[place, :, : sample.rows, : sample.columns] = 1
    inputs = {"planes": planes, "mask": mask}
    wanted = {value.name for value in session.get_inputs()}
    try:
        answers = session.run(
            ["policy", "outcomes", "value"], {name: inputs[name] for name in inputs if name in wanted}
        )
    except Exception as error:
        raise Fault(f"onnxruntime: {one_line(error)}") from error
    for sample, policy, outcomes, value in zip(samples, *answers):
        yield sample.own_policy(policy, policy_planes, rows, columns), outcomes, value


def check_batches(session, samples, batch, policy_planes):
    """The largest differences over all samples; the same best move in each."""
    worst = {"policy": 0.0, "outcomes": 0.0, "value": 0.0}
    count = max(len(samples), batch)
    order = list(itertools.islice(itertools.cycle(samples), count + -count % batch))
    for begin in range(0, len(order), batch):
        part = order[begin : begin + batch]
        for sample, (policy, outcomes, value) in zip(part, run(session, part, policy_planes)):
            for name, ours, theirs in (
                ("policy", policy, sample.policy),
                ("outcomes", outcomes, sample.outcomes),
                ("value", value, sample.value),
            ):
                if np.shape(ours) != np.shape(theirs):
                    raise Fault(f"a {name} has shape {np.shape(ours)} in place of {np.shape(theirs)}")
                off = float(np.max(np.abs(ours - theirs)))
                # A number that is none is no small difference.
                if not off < TOLERANCE:
                    raise Fault(f"batch {batch}: a {name} is off by {off:.2e}")
                worst[name] = max(worst[name], off)
            best = sample.legal[int(np.argmax(policy[sample.legal]))]
            if best != sample.best:
                raise Fault(f"batch {batch}: the best move is {best} in place of {sample.best}")
    return worst


def check(path, answers):
    try:
        with open(path, "rb") as file:
            net = file.read()
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}") from error
    try:
        session = onnxruntime.InferenceSession(net, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise Unusable(f"{path}: onnxruntime cannot read it: {one_line(error)}") from error
    answers = Answers(answers)
    digest = hashlib.sha256(net).hexdigest()
    if digest != answers.sha256:
        raise Fault(f"its SHA-256 is {digest}, and {answers.path} is about {answers.sha256}")
    print(check_form(path, session), flush=True)
    texts = session.get_modelmeta().custom_metadata_map
    for key, stated in answers.stated.items():
        if texts.get(key) != stated:
            raise Fault(f"its {key} is {texts.get(key)}, and {answers.path} says {stated}")
    every_size = re.match(r"(\d+) \* rows \* columns", texts.get("policy", ""))
    policy_planes = int(every_size[1]) if every_size else None
    samples = answers.samples
    boards = sorted({(sample.rows, sample.columns) for sample in samples})
    print(f"{texts['game']}, step {texts['step']}: {len(samples)} samples, boards {boards}")
    for batch in BATCHES:
        worst = check_batches(session, samples, batch, policy_planes)
        shown = ", ".join(f"{name} {off:.1e}" for name, off in worst.items())
        print(f"batch {batch}: largest differences {shown}; the same best moves")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("net", help="the ONNX file")
    parser.add_argument("answers", help="the certificate, or the file of --positions")
    args = parser.parse_args()
    if MISSING:
        print(f"check_export: {MISSING}; numpy and onnxruntime are needed", file=sys.stderr)
        return 2
    try:
        check(args.net, args.answers)
        print(f"{args.net}: ok, with onnxruntime {onnxruntime.__version__}", flush=True)
    except BrokenPipeError:
        # Nothing more can be written, not even by the interpreter when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print("check_export: whoever read the output has gone before the end", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except Fault as fault:
        print(f"{args.net}: {fault}", file=sys.stderr)
        return 1
    except Unusable as fault:
        print(fault, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
