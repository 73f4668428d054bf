#!/bin/sh
# Print the first Python of version 3.10 or later among the usual names.
for python in python3 python3.13 python3.12 python3.11 python3.10 python; do
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1; then
        echo "$python"
        exit 0
    fi
done
echo "memslot needs Python 3.10 or later: install one, or name it with make PYTHON=/path/to/python" >&2
exit 1
