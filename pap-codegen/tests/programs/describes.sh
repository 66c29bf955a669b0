#!/bin/sh
# Answers as a company's program does, between lines of its own.
echo "listening on nothing"
if [ -n "$PAP_DESCRIBE" ]; then
    printf '%s' "$PAP_DESCRIBE"
    tr -d '\n' < catalogue.json
    echo
fi
