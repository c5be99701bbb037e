#!/usr/bin/env python3
"""Compare a learning step with PyTorch on the processor: the same net, batch, losses and optimiser.

Needs `pip install torch numpy` and a built `tribord`. `tribord bench` measures ours, batches drawn
from the window included; PyTorch learns from one batch of random positions that lies ready. Peers take
turns and each keeps its best. Only for nets with a dense policy head (EinStein). Run it in the root of
the checkout.

    cargo build --release --workspace
    scripts/compare_learning.py [CONFIG] [--threads N] [--rounds 2] [--seconds 5]
"""

import argparse
import json
import os
import sys
import time
import tomllib

from comparing import Missing, exit_code, output, positive, whole

try:
    import numpy as np
    import torch
    from torch import nn
# A build whose libraries are missing raises more than ImportError.
except (ImportError, OSError, ValueError) as error:
    print(f"compare_learning: {error}; numpy and torch are needed", file=sys.stderr)
    sys.exit(2)

TRIBORD = "target/release/tribord"
PLANES, SIDE, POLICY, OUTCOMES = 25, 5, 24, 2


class Block(nn.Module):
    """Two convolutions whose result is added to their input."""

    def __init__(self, channels):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        return (x + self.second(self.first(x).relu())).relu()


class Net(nn.Module):
    """The network of models/src/net with a dense policy head."""

    def __init__(self, sizes):
        super().__init__()
        channels, policy, value, hidden = sizes
        cells = SIDE * SIDE
        self.stem = nn.Conv2d(PLANES, channels, 3, padding=1)
        self.policy = nn.Sequential(nn.Conv2d(channels, policy, 1), nn.ReLU(), nn.Flatten(),
                                    nn.Linear(policy * cells, POLICY))
        self.value = nn.Sequential(nn.Conv2d(channels, value, 1), nn.ReLU(), nn.Flatten(),
                                   nn.Linear(value * cells, hidden), nn.ReLU(),
                                   nn.Linear(hidden, OUTCOMES))
        self.blocks = nn.Sequential()

    def forward(self, planes):
        x = self.blocks(self.stem(planes).relu())
        return self.policy(x), self.value(x)


def torch_rate(config, threads, seconds):
    """Positions a second of PyTorch's steps."""
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    sizes = config.get("net", {})
    net = Net([sizes.get("channels", 32), sizes.get("policy_channels", 8),
               sizes.get("value_channels", 4), sizes.get("value_hidden", 32)])
    for _ in range(sizes.get("blocks", 4)):
        net.blocks.append(Block(sizes.get("channels", 32)))
    batch = config.get("learning", {}).get("batch", 256)
    rng = np.random.default_rng(1)
    planes = torch.from_numpy(
        rng.integers(0, 2, (batch, PLANES, SIDE, SIDE)).astype(np.float32))
    illegal = torch.from_numpy(rng.random((batch, POLICY)) > 0.25)
    illegal[:, 0] = False
    target = torch.where(illegal, 0.0, 1.0)
    target = target / target.sum(1, keepdim=True)
    value = torch.from_numpy(rng.random((batch, 1)).astype(np.float32))
    value = torch.cat([value, 1 - value], 1)
    optimiser = torch.optim.AdamW(net.parameters(), lr=0.002)

    def step():
        optimiser.zero_grad()
        logits, outcomes = net(planes)
        logits = logits.masked_fill(illegal, -1e9)
        loss = -(logits.log_softmax(1) * target).sum() / batch
        loss = loss - (outcomes.log_softmax(1) * value).sum() / batch
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        return loss.item()

    for _ in range(3):
        step()
    start, steps = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        step()
        steps += 1
    return steps * batch / (time.perf_counter() - start)


def our_rate(path, threads):
    """Positions a second of tribord's steps."""
    if not os.path.exists(TRIBORD):
        raise Missing(f"{TRIBORD} is missing; `cargo build --release` makes it")
    command = [TRIBORD, "bench", path, "--threads", str(threads), "--json"]
    found = output(command)
    rate = json.loads(found).get("learning_positions_a_second")
    if rate is None:
        raise Missing(f"{' '.join(command)} measured no learning steps")
    return rate


def read(path):
    """The configuration, of EinStein."""
    try:
        with open(path, "rb") as file:
            config = tomllib.load(file)
    except OSError as error:
        raise Missing(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise Missing(f"{path}: no TOML: {error}") from error
    game = config.get("game")
    name = game.get("name") if isinstance(game, dict) else None
    if name != "einstein":
        raise Missing(f"{path}: a configuration of einstein is needed, and its game.name is {name}")
    return config


def compare(arguments):
    config = read(arguments.config)
    ours, peer = 0.0, 0.0
    for _ in range(arguments.rounds):
        ours = max(ours, our_rate(arguments.config, arguments.threads))
        peer = max(peer, torch_rate(config, arguments.threads, arguments.seconds))
    print(f"{arguments.config}, {arguments.threads} threads: tribord {ours:.0f} positions/s, "
          f"PyTorch {torch.__version__} {peer:.0f}, ratio {ours / peer:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("config", nargs="?", default="configs/einstein/cpu.toml")
    parser.add_argument("--threads", type=whole, default=2)
    parser.add_argument("--rounds", type=whole, default=2)
    parser.add_argument("--seconds", type=positive, default=5.0)
    return exit_code("compare_learning", lambda: compare(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
