"""Answers to a survey, as its pages save them: one file from each rater.

    python journeys/releases/answers.py survey/survey.json answers      # it needs NumPy
"""

import sys
from pathlib import Path

from layouts import survey_answers

survey_answers(Path(sys.argv[1]), Path(sys.argv[2]))
