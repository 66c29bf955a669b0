#!/bin/sh
# Answers, and then fails.
printf '%s' "$PAP_DESCRIBE"
tr -d '\n' < catalogue.json
echo
exit 7
