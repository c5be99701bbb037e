#!/usr/bin/env python3
"""A bridge between tribord and the lines of the Chinese contest platform for Surakarta.

    surakarta_platform.py program COMMAND…   a program of the platform as a player of tribord
    surakarta_platform.py engine COMMAND…    a player of tribord (`tribord engine …`) as a program of the platform

The first is used in a player spec, `engine:python3 scripts/surakarta_platform.py program ./theirs`; the
second is what the platform is told to start.

The platform's lines, as programs published for it read them:

    name?             asks for a name; the answer is `name NAME`
    new black|white   begins a game and says the program's side; black moves first, at once
    move XYXY         the other side's move, from and to; the answer is a line of the same form
    error             the program's last move was refused
    end, quit         the game is over; the program shall end

X and Y are letters from A to F. Published programs of other games count X from the left and Y from the top.
Nothing that is public says at which edge black begins in Surakarta, so both can be chosen: --row-a
top|bottom and --black bottom|top, the defaults first. tribord's Red (rules S1) moves first and is black here.
The platform knows the usual start only, so ladders with such programs need opening_plies = 0 and no book.

Exit codes: 0 after quit or the end of input, 1 where one side does what cannot be passed on, 2 for wrong use
and for a program that cannot be started, 130 for Ctrl-C.
"""

import argparse
import subprocess
import sys

PROTOCOL = "tribord 1"
START = "bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr r 0"
LETTERS = "ABCDEF"


class Fault(Exception):
    """What one of the two sides did that the bridge cannot pass on."""


class Missing(Exception):
    """A program that cannot be started."""


class Refused(Fault):
    """An answer that says error."""


class Squares:
    """Names of the points on both sides: `C2` here, two letters there."""

    def __init__(self, row_a, black):
        self.row_a_is_top = row_a == "top"
        self.turned = black == "top"

    def there(self, square):
        if len(square) != 2 or square[0] not in LETTERS or square[1] not in "123456":
            raise Fault(f"'{square}' is no point")
        column, row = LETTERS.index(square[0]), int(square[1]) - 1
        return self._letters(*self._turn(column, row))

    def here(self, letters):
        if len(letters) != 2 or any(letter not in LETTERS for letter in letters):
            raise Fault(f"'{letters}' is no point")
        column, row = (LETTERS.index(letter) for letter in letters)
        column, row = self._turn(column, 5 - row if self.row_a_is_top else row)
        return f"{LETTERS[column]}{row + 1}"

    def move(self, letters):
        """From and to of a move of the platform."""
        if len(letters) != 4:
            raise Fault(f"'{letters}' is no move")
        return self.here(letters[:2]), self.here(letters[2:])

    def _turn(self, column, row):
        return (5 - column, 5 - row) if self.turned else (column, row)

    def _letters(self, column, row):
        return LETTERS[column] + LETTERS[5 - row if self.row_a_is_top else row]


class Lines:
    """A program with lines of text on both its streams."""

    def __init__(self, command):
        try:
            # Programs of the platform need not write UTF-8.
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, errors="replace", bufsize=1
            )
        except OSError as error:
            raise Missing(f"'{command[0]}' cannot be started: {error.strerror}") from error

    def send(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise Fault(f"the program has ended: {error}") from error

    def answer(self, word):
        """The rest of the next line that begins with a word; others are passed to standard error."""
        for line in self.process.stdout:
            first, _, rest = line.strip().partition(" ")
            if first == word:
                return rest.strip()
            if first == "error":
                raise Refused(f"the program says error {rest}".rstrip())
            if first:
                print(line.rstrip(), file=sys.stderr)
        raise Fault(f"the program ended without '{word}'")

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self.process.kill()


def say(line):
    print(line, flush=True)


class ProgramAsPlayer:
    """Speaks tribord's protocol and lets a program of the platform move."""

    def __init__(self, command, squares):
        self.squares = squares
        self.program = Lines(command)
        # The moves that the program knows of in the game under way, and its answer to them.
        self.known, self.pending = None, None

    def run(self):
        history = []
        for line in sys.stdin:
            word, _, rest = line.strip().partition(" ")
            if word == "game":
                if rest.split(" ")[0] != "surakarta":
                    raise Fault(f"the bridge plays surakarta, not {rest}")
                self.program.send("name?")
                say(f"ready {self.program.answer('name')}")
            elif word == "new":
                self.end_game()
            elif word == "history":
                start, _, moves = rest.partition(" moves ")
                if start != START:
                    raise Fault(f"the platform knows the usual start only, not {start}")
                history = moves.split()
            elif word == "go":
                say(f"move {self.move(history)}")
            elif word == "quit":
                break
        self.end_game()
        self.program.send("quit")
        self.program.close()

    def end_game(self):
        if self.known is not None:
            self.program.send("end")
        self.known = None

    def move(self, history):
        """The program's move. It answers each of the other side's moves, also where tribord did not ask
        because only one move was legal."""
        own = len(history) % 2
        if self.known is None:
            self.program.send("new white" if own else "new black")
            self.known = []
            answer = None if own else self.program.answer("move")
        else:
            answer = self.pending
        for number in range(len(self.known), len(history)):
            told = history[number]
            if number % 2 == own:
                if answer != self.there(told):
                    raise Fault(f"the program played {answer} where {told} was the only move")
            else:
                self.program.send(f"move {self.there(told)}")
                answer = self.program.answer("move")
        self.known = list(history)
        self.pending = answer
        origin, target = self.squares.move(answer)
        taken = target in occupied(history)
        return f"{origin}{'x' if taken else '-'}{target}"

    def there(self, move):
        return self.squares.there(move[:2]) + self.squares.there(move[3:])


class PlayerAsProgram:
    """Speaks the platform's lines and lets a player of tribord move."""

    def __init__(self, command, squares, name, rules):
        self.squares, self.name = squares, name
        self.player = Lines(command)
        self.player.send(PROTOCOL)
        self.player.send(f"game surakarta {rules}")
        self.player.answer("ready")
        self.games, self.history = 0, []

    def run(self):
        for line in sys.stdin:
            word, _, rest = line.strip().partition(" ")
            if word == "name?":
                say(f"name {self.name}")
            elif word == "new":
                if rest not in ("black", "white"):
                    raise Fault(f"'{line.strip()}' names neither black nor white")
                self.games += 1
                self.history = []
                self.player.send(f"new {self.games}")
                if rest == "black":
                    self.answer()
            elif word == "move":
                self.history.append(self.here(rest))
                self.answer()
            elif word == "error":
                print(f"the platform refused {self.history[-1:]}", file=sys.stderr)
            elif word == "quit":
                break
        self.player.send("quit")
        self.player.close()

    def here(self, letters):
        origin, target = self.squares.move(letters)
        return f"{origin}{'x' if target in occupied(self.history) else '-'}{target}"

    def answer(self):
        moves = " ".join(["moves", *self.history]) if self.history else ""
        self.player.send(f"history {START} {moves}".rstrip())
        self.player.send("go")
        try:
            move = self.player.answer("move")
        except Refused as error:
            # By tribord's rules the game is over; the platform decides when it is.
            print(f"surakarta_platform: no move: {error}", file=sys.stderr)
            return
        self.history.append(move)
        say(f"move {self.squares.there(move[:2])}{self.squares.there(move[3:])}")


def occupied(history):
    """The points that hold a stone after some moves from the usual start."""
    stones = {f"{column}{row}" for column in LETTERS for row in (1, 2, 5, 6)}
    for move in history:
        stones.discard(move[:2])
        stones.add(move[3:])
    return stones


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--row-a", choices=["top", "bottom"], default="top")
    parser.add_argument("--black", choices=["bottom", "top"], default="bottom")
    parser.add_argument("--name", default="tribord", help="what `engine` answers to name?")
    parser.add_argument("--rules", default="{}", help="options of S8 for `engine`, as JSON")
    parser.add_argument("role", choices=["program", "engine"])
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    if not args.command:
        parser.error("the command of the other side is missing")
    squares = Squares(args.row_a, args.black)
    try:
        if args.role == "program":
            ProgramAsPlayer(args.command, squares).run()
        else:
            PlayerAsProgram(args.command, squares, args.name, args.rules).run()
    except KeyboardInterrupt:
        return 130
    except Missing as error:
        print(f"surakarta_platform: {error}", file=sys.stderr)
        return 2
    except (Fault, OSError) as error:
        print(f"surakarta_platform: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
