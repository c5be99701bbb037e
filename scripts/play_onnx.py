#!/usr/bin/env python3
"""A player of EinStein written from docs alone: an exported net plays games against `tribord engine`.

    tribord export NET --format onnx --out einstein.onnx
    play_onnx.py einstein.onnx --opponent static --games 10

The rules are those of docs/rules/einstein.md, planes and policy indices those of docs/formats.md,
"Encodings", the opponent's lines those of "Protocol of external players" there. The net plays the legal
move that its policy likes best, without search. In every position, on either side's turn, the planes and
the legal moves with their indices made here are compared with what `tribord encode` says; a difference,
an illegal move and an opponent that fails end the program with exit code 1; a file, program or package
that is missing, a faulty option and an unknown opponent end it with 2.

Sides change after each game. The dice and the set-ups follow from --seed. Needs numpy and onnxruntime.
"""

import argparse
import dataclasses
import json
import random
import shlex
import subprocess
import sys

try:
    import numpy as np
    import onnxruntime
# A build whose libraries are missing raises more than ImportError.
except (ImportError, OSError, ValueError) as error:
    MISSING = error
else:
    MISSING = None

SIZE = 5
CUBES = range(1, 7)
RED, BLUE = 0, 1
SIDES = ("Red", "Blue")
# E1: the home zones, in the order of the indices of placements.
ZONES = ("A5 B5 C5 A4 B4 A3".split(), "E1 D1 C1 E2 D2 E3".split())
# The direction's number in the policy, and how it looks to the mover, who comes from the top left.
DIRECTIONS = {0: (1, 0), 1: (0, 1), 2: (1, 1)}
PLANES, POLICY = 25, 24


class Fault(Exception):
    """What went wrong, on which side."""


class Missing(Exception):
    """A file or program that cannot be used."""


def point(name):
    """Column from the left and row from the top, from 0, of a cell such as C4."""
    return ord(name[0]) - ord("A"), SIZE - int(name[1])


def name(cell):
    return f"{chr(ord('A') + cell[0])}{SIZE - cell[1]}"


def seen(cell, side):
    """The cell as a side sees it: Blue's view makes half a turn, which undoes itself."""
    return cell if side == RED else (SIZE - 1 - cell[0], SIZE - 1 - cell[1])


def movable(own, face):
    """E4: the cubes that may move, of the numbers that are alive."""
    if face in own:
        return {face}
    larger = [cube for cube in own if cube > face]
    smaller = [cube for cube in own if cube < face]
    return {*larger[:1], *smaller[-1:]}


@dataclasses.dataclass(frozen=True)
class Move:
    cube: int
    direction: int
    target: tuple
    text: str

    @property
    def index(self):
        return 3 * (self.cube - 1) + self.direction


@dataclasses.dataclass(frozen=True)
class Position:
    """After the roll. For each side, its living cubes in order with their cells."""

    cubes: tuple
    mover: int
    face: int

    def text(self):
        letters = {}
        for side, first in ((RED, "A"), (BLUE, "a")):
            for cube, cell in self.cubes[side].items():
                letters[cell] = chr(ord(first) + cube - 1)
        rows = []
        for y in range(SIZE):
            row, gap = "", 0
            for x in range(SIZE):
                if (x, y) not in letters:
                    gap += 1
                    continue
                row += (str(gap) if gap else "") + letters[x, y]
                gap = 0
            rows.append(row + (str(gap) if gap else ""))
        return f"{'/'.join(rows)} {'rb'[self.mover]} {self.face}"

    def moves(self):
        """E3 to E5: the legal moves by their text."""
        found = {}
        own = self.cubes[self.mover]
        occupied = {cell for side in self.cubes for cell in side.values()}
        for cube in movable(own, self.face):
            x, y = seen(own[cube], self.mover)
            for direction, (dx, dy) in DIRECTIONS.items():
                if x + dx >= SIZE or y + dy >= SIZE:
                    continue
                target = seen((x + dx, y + dy), self.mover)
                sign = "x" if target in occupied else "-"
                text = f"{'RB'[self.mover]}{cube}{sign}{name(target)}"
                found[text] = Move(cube, direction, target, text)
        return found

    def cubes_after(self, move):
        """E5: who stands on the target is removed, whichever side owns it."""
        left = [
            {cube: cell for cube, cell in side.items() if cell != move.target} for side in self.cubes
        ]
        left[self.mover][move.cube] = move.target
        return tuple(dict(sorted(side.items())) for side in left)

    def wins(self, move):
        """E6: the mover enters the enemy's home corner or takes the last enemy cube."""
        goal = seen(move.target, self.mover) == (SIZE - 1, SIZE - 1)
        return goal or not self.cubes_after(move)[1 - self.mover]

    def planes(self):
        """`[planes][rows][columns]`, as docs/formats.md lists them."""
        planes = np.zeros((PLANES, SIZE, SIZE), np.float32)
        for side, single, every, share in ((self.mover, 0, 12, 15), (1 - self.mover, 6, 13, 16)):
            alive = self.cubes[side]
            for cube, cell in alive.items():
                x, y = seen(cell, self.mover)
                planes[single + cube - 1, y, x] = 1
                planes[every, y, x] = 1
                faces = [face for face in CUBES if cube in movable(alive, face)]
                planes[share, y, x] = len(faces) / 6
        for cube in movable(self.cubes[self.mover], self.face):
            x, y = seen(self.cubes[self.mover][cube], self.mover)
            planes[14, y, x] = 1
        planes[17 + self.face - 1] = 1
        planes[23] = self.mover == BLUE
        return planes


class Program:
    """tribord as a program with lines of text on both its streams."""

    def __init__(self, command):
        self.command = " ".join(command)
        try:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
        except OSError as error:
            raise Missing(
                f"'{command[0]}' cannot be started ({error.strerror}); --tribord names the program, such as "
                "--tribord target/release/tribord"
            ) from error

    def send(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError:
            raise self.ended() from None

    def line(self):
        line = self.process.stdout.readline()
        if not line:
            raise self.ended()
        return line.strip()

    def ended(self):
        """Why nothing more comes; exit code 2 is that of wrong use, such as a player there is not."""
        code = self.process.wait()
        kind = Missing if code == 2 else Fault
        return kind(f"'{self.command}' has ended with exit code {code}")

    def answer(self, word):
        """The rest of the next line, which must begin with a word."""
        line = self.line()
        while not line or line.startswith("#"):
            line = self.line()
        first, _, rest = line.partition(" ")
        if first != word:
            raise Fault(f"{self.command}: '{line}' is no {word}")
        return rest

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class Net:
    """The exported net."""

    def __init__(self, path):
        try:
            with open(path, "rb") as file:
                net = file.read()
        except OSError as error:
            raise Missing(f"'{path}': {error.strerror}") from error
        try:
            self.session = onnxruntime.InferenceSession(net, providers=["CPUExecutionProvider"])
        except Exception as error:
            reason = " ".join(str(error).split())
            raise Missing(f"{path}: onnxruntime cannot read it: {reason}") from error
        metadata = self.session.get_modelmeta().custom_metadata_map
        found = metadata.get("game"), metadata.get("encoding")
        if found != ("einstein", "1"):
            raise Missing(f"{path}: a net for game and encoding {found}, not for EinStein's encoding 1")

    def choose(self, position):
        """The legal move with the largest logit, and the value as the mover sees it."""
        planes = position.planes()[np.newaxis]
        policy, value = self.session.run(["policy", "value"], {"planes": planes})
        best = max(position.moves().values(), key=lambda move: policy[0][move.index])
        return best, float(value.reshape(-1)[0])


def compare(position, encoder):
    """Asks tribord how it encodes the position, and finds the same here."""
    text = position.text()
    encoder.send(text)
    line = encoder.line()
    try:
        theirs = json.loads(line)
        if "error" not in theirs:
            theirs["planes"], theirs["moves"], theirs["policy"]
    except (ValueError, TypeError, KeyError):
        raise Fault(f"{encoder.command}: '{line[:60]}' is no answer to {text}") from None
    if "error" in theirs:
        raise Fault(f"tribord encode: {theirs['error']}: {text}")
    if not np.array_equal(np.array(theirs["planes"], np.float32), position.planes()):
        raise Fault(f"the planes differ: {text}")
    ours = {text: move.index for text, move in position.moves().items()}
    if theirs["moves"] != ours or theirs["policy"] != POLICY:
        raise Fault(f"the legal moves differ: {text}: {theirs['moves']}, and here {ours}")


def play(net, opponent, encoder, net_side, dice):
    """One game; the side that has won, and the number of plies."""
    placed = [dict(zip(dice.sample(CUBES, 6), map(point, zone))) for zone in ZONES]
    cubes = tuple(dict(sorted(side.items())) for side in placed)
    mover, plies = RED, 0
    while True:
        position = Position(cubes, mover, dice.choice(CUBES))
        compare(position, encoder)
        if mover == net_side:
            move, value = net.choose(position)
            thought = f"net, value {value:+.2f}"
        else:
            opponent.send(f"position {position.text()}")
            opponent.send("go")
            text, thought = opponent.answer("move"), "opponent"
            move = position.moves().get(text)
            if move is None:
                raise Fault(f"the opponent plays {text}, which is not legal: {position.text()}")
        plies += 1
        print(f"{plies:>3} {position.face}:{move.text}  {thought}")
        if position.wins(move):
            return mover, plies
        cubes, mover = position.cubes_after(move), 1 - mover


def play_all(args):
    dice = random.Random(args.seed)
    net = Net(args.net)
    encoder = Program([*args.tribord, "encode", "--game", "einstein", "--stdin", "--json"])
    opponent = Program([*args.tribord, "engine", "--player", args.opponent])
    opponent.send("tribord 1")
    opponent.send("game einstein {}")
    opponent.answer("ready")
    won = agreed = 0
    for number in range(1, args.games + 1):
        net_side = RED if number % 2 else BLUE
        opponent.send(f"new {number}")
        winner, plies = play(net, opponent, encoder, net_side, dice)
        won += winner == net_side
        agreed += plies
        by = "the net" if winner == net_side else args.opponent
        print(f"game {number}: {SIDES[winner]} ({by}) wins after {plies} plies")
    opponent.send("quit")
    opponent.close()
    encoder.close()
    print(f"{won} of {args.games} games won, {agreed} of {agreed} positions encoded as tribord does")


def number_of_games(text):
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number from 1")
    return int(text)


def command_of(text):
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}': {error}") from error
    if not words:
        raise argparse.ArgumentTypeError("it names no program")
    return words


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("net", help="the ONNX file")
    parser.add_argument("--opponent", default="rollout:sims=200", help="a player spec")
    parser.add_argument("--games", type=number_of_games, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--tribord",
        type=command_of,
        default=["tribord"],
        help="the program, or a command that runs it [default: tribord]",
    )
    args = parser.parse_args()
    if MISSING:
        print(f"play_onnx: {MISSING}; numpy and onnxruntime are needed", file=sys.stderr)
        return 2
    try:
        play_all(args)
    except KeyboardInterrupt:
        return 130
    except Missing as error:
        print(f"play_onnx: {error}", file=sys.stderr)
        return 2
    except (Fault, OSError) as error:
        print(f"play_onnx: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
