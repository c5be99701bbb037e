"""What the comparisons with other runtimes share: options, programs, and what is missing."""

import argparse
import subprocess
import sys


class Missing(Exception):
    """A program, file or net that cannot be used."""


def output(command):
    """What a program writes to standard output; its errors stay on standard error."""
    try:
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    except OSError as error:
        raise Missing(f"{command[0]}: {error.strerror}") from error
    except subprocess.CalledProcessError as error:
        raise Missing(f"{' '.join(command)} ended with exit code {error.returncode}") from error


def whole(text):
    """An option that counts, from 1."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number from 1")
    return int(text)


def positive(text):
    """An option that measures, above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is no number above 0")
    return number


def exit_code(name, work):
    """Does the work; a script's exit code, after a line that says what is missing."""
    try:
        work()
    except Missing as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    return 0
