"""Answers to a survey, as its pages save them: one file for each rater.

    python journeys/releases/answers.py survey/survey.json answers [--wrong-code PAGE] [--no-consent PAGE]      # it
    needs NumPy

The page named after an option gets a wrong completion code, or no consent, which no page would save.
"""

import sys
from pathlib import Path

from layouts import survey_answers

plan, answers, *options = sys.argv[1:]
named = dict(zip(options[::2], options[1::2], strict=True))
survey_answers(Path(plan), Path(answers), wrong_code=named.get("--wrong-code"), no_consent=named.get("--no-consent"))
