"""Turns Sphinx roles in docstrings (:func:`score`) into code, which is what mkdocstrings shows best."""

import re

import griffe

ROLE = re.compile(r":(?:py:)?(?:func|class|mod|attr|meth|data|exc):`~?([^`]+)`")


class Roles(griffe.Extension):
    def on_object(self, *, obj: griffe.Object, **kwargs: object) -> None:
        if obj.docstring is not None:
            obj.docstring.value = ROLE.sub(r"`\1`", obj.docstring.value)
