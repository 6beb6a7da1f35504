#!/bin/sh
# Makes a copy of this repository whose history holds no earlier version of the databases (P61). docs/purge.md says when and how.
#   sh docs/purge.sh NEW_FOLDER [MORE_PATHS...] < words        words: one a line; none of them may be left anywhere
set -eu

into=${1:?"usage: sh docs/purge.sh NEW_FOLDER [MORE_PATHS...] < words"}
shift
old=$(git rev-parse --show-toplevel)
branch=$(git -C "$old" symbolic-ref --short HEAD)
test ! -e "$into" || { echo "$into: it exists already; give a folder that does not" >&2; exit 2; }
test -z "$(git -C "$old" status --porcelain --untracked-files=no)" || { echo "commit what you have changed first" >&2; exit 2; }
words=$(mktemp)
trap 'rm -f "$words"' EXIT
grep -v '^$' > "$words" || { echo "give on standard input, a line each, what must not be found any more" >&2; exit 2; }

# Every commit, without the databases and the paths given: what git never gets, no object of the copy can hold.
set -- ':(top,glob)data/press*.db' "$@"
count=$#
while [ "$count" -gt 0 ]; do
  path=$1; shift; count=$((count - 1))
  case $path in :*) path=":(exclude,${path#:(}" ;; *) path=":(exclude,top)$path" ;; esac
  set -- "$@" "$path"
done
git init --quiet --initial-branch="$branch" "$into"
into=$(cd "$into" && pwd)
git -C "$old" fast-export --signed-tags=strip --tag-of-filtered-object=drop --reencode=yes \
  --refspec="refs/heads/$branch:refs/heads/$branch" "$branch" -- ':(top)' "$@" | git -C "$into" fast-import --quiet
git -C "$into" reset --quiet --hard "$branch"

# Today's files, which `python -m crawl exclude` has emptied already, and with them whatever else stands in the last commit.
git -C "$old" archive HEAD | tar -x -C "$into" -f -
git -C "$into" add --all --force .
git -C "$into" -c user.name="$(git -C "$old" log -1 --format=%cn)" -c user.email="$(git -C "$old" log -1 --format=%ce)" \
  commit --quiet --allow-empty -m "Begin the databases' history anew"
git -C "$into" gc --quiet --prune=now

if git -C "$into" cat-file --batch-all-objects --batch --unordered | LC_ALL=C grep --text --quiet --fixed-strings --file="$words"; then
  echo "$into still holds one of the words: give the paths that hold it after the folder (git log -S WORD --name-only), or reword the commit that names it" >&2
  exit 1
fi
echo "$into: $(git -C "$into" rev-list --count "$branch") commits; no object holds one of the words"
