# SPDX-License-Identifier: GPL-2.0-or-later
"""Columns of numbers in the page's timeline: LEB128 in Base64, some as differences from the row before."""

import base64
import itertools


def unpack(text):
    numbers, value, shift = [], 0, 0
    for byte in base64.b64decode(text):
        value |= (byte & 127) << shift
        shift += 7
        if not byte & 128:
            numbers.append(value)
            value = shift = 0
    return numbers


def sums(differences):
    return list(itertools.accumulate(differences))
