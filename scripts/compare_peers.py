#!/usr/bin/env python3
"""Compare the inference crate with onnxruntime (and PyTorch where installed), on one thread or several.

Needs `pip install onnxruntime onnx numpy`. The benchmark program describes its networks; the same
graphs, with random weights, are built here. Peers take turns for a few rounds and each keeps its
best, so that other work on the machine does not favour one of them.

On one thread a rate counts the time in which the thread ran; on several it counts by the clock. Ours
are then so many workers, each with batches of its own. onnxruntime gets the better of one session on
all threads and of a session for each of them, PyTorch one call on all threads.

    cargo bench --workspace --bench forward --no-run
    scripts/compare_peers.py [--net NAME]... [--batch N]... [--threads N]... [--int8]
                             [--rounds 3] [--seconds 0.5] [--json FILE]
"""

import argparse
import itertools
import json
import os
import sys
import threading
import time

from comparing import Missing, exit_code, output, positive, whole

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

try:
    import numpy as np
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper
# A build whose libraries are missing raises more than ImportError.
except (ImportError, OSError, ValueError) as error:
    print(f"compare_peers: {error}; numpy, onnx and onnxruntime are needed", file=sys.stderr)
    sys.exit(2)

try:
    import torch
# A build whose libraries are missing raises more than ImportError.
except (ImportError, OSError, ValueError) as error:
    print(f"no PyTorch: {error}", file=sys.stderr)
    torch = None

BATCHES = [1, 8, 32, 128]
SLICE = 0.1


def bench_binary():
    """Path of the built benchmark program."""
    command = ["cargo", "bench", "--workspace", "--bench", "forward", "--no-run",
               "--message-format=json"]
    lines = output(command).splitlines()
    messages = (json.loads(line) for line in lines if line.startswith("{"))
    found = [m["executable"] for m in messages
             if m.get("executable") and m["target"]["name"] == "forward"]
    if not found:
        raise Missing(f"{' '.join(command)} names no benchmark program")
    return found[-1]


def ours(binary, *options):
    """The benchmark program's output, one object a line."""
    return [json.loads(line) for line in output([binary, *options]).splitlines()]


def layers(net):
    """The network's random weights by name, in order of use."""
    rng = np.random.default_rng(1)
    cells = net["side"] ** 2
    channels = net["channels"]

    def conv(out, inputs, kernel):
        reach = (6 / (inputs * kernel * kernel)) ** 0.5
        return (rng.uniform(-reach, reach, (out, inputs, kernel, kernel)).astype(np.float32),
                np.full(out, 0.1, np.float32))

    def dense(inputs, out):
        reach = (6 / inputs) ** 0.5
        return (rng.uniform(-reach, reach, (inputs, out)).astype(np.float32),
                np.full(out, 0.1, np.float32))

    named = {"stem": conv(channels, net["planes"], 3)}
    for block in range(net["blocks"]):
        named[f"block{block}a"] = conv(channels, channels, 3)
        named[f"block{block}b"] = conv(channels, channels, 3)
    named["policy_conv"] = conv(net["policy_planes"], channels, 1)
    named["policy_linear"] = dense(net["policy_planes"] * cells, net["policy"])
    named["value_conv"] = conv(net["value_planes"], channels, 1)
    named["value_hidden"] = dense(net["value_planes"] * cells, net["hidden"])
    named["value_output"] = dense(net["hidden"], net["values"])
    return named


def onnx_model(net):
    """The network as an ONNX graph with a symbolic batch."""
    named = layers(net)
    nodes, initial = [], []
    for name, arrays in named.items():
        for suffix, array in zip(("w", "b"), arrays):
            initial.append(numpy_helper.from_array(array, f"{name}.{suffix}"))

    def node(kind, inputs, output, **attributes):
        nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def conv(x, name, relu=True):
        side = named[name][0].shape[2]
        pad = side // 2
        y = node("Conv", [x, f"{name}.w", f"{name}.b"], f"{name}.y",
                 kernel_shape=[side, side], pads=[pad] * 4)
        return node("Relu", [y], f"{name}.r") if relu else y

    def dense(x, name, output, relu=False):
        y = node("Gemm", [x, f"{name}.w", f"{name}.b"], f"{name}.y" if relu else output)
        return node("Relu", [y], output) if relu else y

    x = conv("input", "stem")
    for block in range(net["blocks"]):
        y = conv(conv(x, f"block{block}a"), f"block{block}b", relu=False)
        x = node("Relu", [node("Add", [x, y], f"block{block}.sum")], f"block{block}.out")
    flat = node("Flatten", [conv(x, "policy_conv")], "policy_flat")
    dense(flat, "policy_linear", "policy")
    flat = node("Flatten", [conv(x, "value_conv")], "value_flat")
    dense(dense(flat, "value_hidden", "hidden", relu=True), "value_output", "value")

    def tensor(name, *shape):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", *shape])

    side = net["side"]
    graph = helper.make_graph(
        nodes, net["net"], [tensor("input", net["planes"], side, side)],
        [tensor("policy", net["policy"]), tensor("value", net["values"])], initial)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def onnxruntime_call(net, threads):
    """A function that evaluates one batch in onnxruntime."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        onnx_model(net).SerializeToString(), options, providers=["CPUExecutionProvider"])
    return lambda x: session.run(None, {"input": x})


def torch_call(net, threads):
    """A function that evaluates one batch in PyTorch, or None where it is not usable."""
    if torch is None:
        return None
    F = torch.nn.functional
    torch.set_num_threads(threads)
    named = {name: [torch.from_numpy(array) for array in arrays]
             for name, arrays in layers(net).items()}

    def conv(x, name):
        weight, bias = named[name]
        return F.conv2d(x, weight, bias, padding=weight.shape[2] // 2)

    def dense(x, name):
        weight, bias = named[name]
        return torch.addmm(bias, x, weight)

    def call(x):
        with torch.inference_mode():
            x = conv(torch.from_numpy(x), "stem").relu()
            for block in range(net["blocks"]):
                x = (x + conv(conv(x, f"block{block}a").relu(), f"block{block}b")).relu()
            policy = dense(conv(x, "policy_conv").relu().flatten(1), "policy_linear")
            hidden = dense(conv(x, "value_conv").relu().flatten(1), "value_hidden").relu()
            return policy, dense(hidden, "value_output")

    return call


def rate(call, x, seconds):
    """Positions a second of this thread's running time: the best of slices of a tenth of a second,
    as the benchmark program counts."""
    call(x)
    best = float("inf")
    start = time.perf_counter()
    slice_start, calls = time.thread_time(), 0
    while time.perf_counter() - start < seconds or best == float("inf"):
        call(x)
        calls += 1
        passed = time.thread_time() - slice_start
        if passed >= SLICE:
            best = min(best, passed / calls)
            slice_start, calls = time.thread_time(), 0
    return len(x) / best


def rate_by_the_clock(calls, x, seconds):
    """Positions a second of several functions, each on a thread of its own: the sum of their rates over
    whole calls, as the benchmark program counts."""
    rates = []
    start = threading.Barrier(len(calls))

    def work(call):
        call(x)
        start.wait()
        began, done, passed = time.perf_counter(), 0, 0.0
        while passed < seconds:
            call(x)
            done += len(x)
            passed = time.perf_counter() - began
        rates.append(done / passed)

    workers = [threading.Thread(target=work, args=[call]) for call in calls]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(rates)


def peers(net, threads):
    """The ways in which each peer can use so many threads: lists of functions that run side by side."""
    onnx_ways = [[onnxruntime_call(net, threads)]]
    if threads > 1:
        onnx_ways.append([onnxruntime_call(net, 1) for _ in range(threads)])
    torch_way = torch_call(net, threads)
    return {"onnxruntime": onnx_ways, "torch": [[torch_way]] if torch_way else []}


def multiply_peak(seconds):
    """GFLOP/s of numpy's 1024² matrix multiply."""
    n = 1024
    a, b = np.ones((2, n, n), np.float32)
    return rate(lambda x: x @ b, a, seconds) / n * 2 * n**3 / 1e9


def measure(arguments, binary, net, threads, ways, batch):
    """One row: the best rates of a few rounds."""
    shape = (batch, net["planes"], net["side"], net["side"])
    x = np.random.default_rng(2).random(shape, np.float32)
    options = ["--json", "--net", net["net"], "--batch", str(batch), "--threads", str(threads),
               "--seconds", str(arguments.seconds), *["--int8"] * arguments.int8]
    best = {"ours": 0.0, "onnxruntime": 0.0, "torch": 0.0}
    peak = 0.0
    for _ in range(arguments.rounds):
        multiply, line = ours(binary, *options)
        peak = max(peak, multiply["multiply_gflops"])
        best["ours"] = max(best["ours"], line["positions_per_s"])
        for name, calls in [(name, calls) for name in ways for calls in ways[name]]:
            found = (rate(calls[0], x, arguments.seconds) if threads == 1
                     else rate_by_the_clock(calls, x, arguments.seconds))
            best[name] = max(best[name], found)
    return {"net": net["net"], "threads": threads, "batch": batch, "positions_per_s": best,
            "gflops": {name: value * net["operations"] / 1e9 for name, value in best.items()},
            "multiply_gflops": peak}


def show(row):
    """Prints a row."""
    best, gflops = row["positions_per_s"], row["gflops"]

    def ratio(peer):
        return best["ours"] / best[peer] if best[peer] else float("nan")

    print(f"{row['net']:<12}{row['threads']:>8}{row['batch']:>6}{best['ours']:>10.0f}"
          f"{best['onnxruntime']:>10.0f}{best['torch']:>10.0f}{gflops['ours']:>9.1f}"
          f"{gflops['onnxruntime']:>9.1f}{ratio('onnxruntime'):>7.2f}{ratio('torch'):>8.2f}",
          flush=True)


def compare(arguments):
    """Prints a row for each net, number of threads and batch."""
    binary = bench_binary()
    nets = ours(binary, "--describe")
    known = [net["net"] for net in nets]
    unknown = [net for net in arguments.net or [] if net not in known]
    if unknown:
        raise Missing(f"there is no net {', '.join(unknown)}; the nets are {', '.join(known)}")
    if arguments.json:
        # A file that cannot be written is found before the measurements.
        try:
            open(arguments.json, "a", encoding="utf-8").close()
        except OSError as error:
            raise Missing(f"{arguments.json}: {error.strerror}") from error
    nets = [net for net in nets if arguments.net is None or net["net"] in arguments.net]
    rows = []
    peak = multiply_peak(arguments.seconds)
    print(f"numpy matrix multiply 1024²: {peak:.1f} GFLOP/s; onnxruntime {onnxruntime.__version__}")
    print(f"{'net':<12}{'threads':>8}{'batch':>6}{'ours/s':>10}{'onnx/s':>10}{'torch/s':>10}"
          f"{'ours GF':>9}{'onnx GF':>9}{'÷onnx':>7}{'÷torch':>8}")
    for net, threads in itertools.product(nets, arguments.threads or [1]):
        ways = peers(net, threads)
        for batch in arguments.batch or BATCHES:
            row = measure(arguments, binary, net, threads, ways, batch)
            peak = max(peak, row.pop("multiply_gflops"))
            rows.append(row)
            show(row)
    print(f"best matrix multiply seen, one thread: {peak:.1f} GFLOP/s")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"multiply_gflops": peak, "rows": rows}, file, indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--net", action="append", help="only this one; may be given again")
    parser.add_argument("--batch", type=whole, action="append")
    parser.add_argument("--threads", type=whole, action="append", help="[default: 1]")
    parser.add_argument("--int8", action="store_true", help="ours with blocks on whole numbers")
    parser.add_argument("--rounds", type=whole, default=3)
    parser.add_argument("--seconds", type=positive, default=0.5)
    parser.add_argument("--json", help="also write the rows to this file")
    return exit_code("compare_peers", lambda: compare(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
