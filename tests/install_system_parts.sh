#!/bin/sh
# Gets what the tests need beside Python: Chromium, a font with Hangul, a screen without a monitor, Redis, PostgreSQL, node
# 20 and the packages of `make browser`. Does nothing when all is there; what cannot be had is named, with the tests that will be skipped for it.
cd "$(dirname "$0")/.." || exit 1

has() { command -v "$1" >/dev/null 2>&1; }
has_postgresql() { has initdb || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; }
has_hangul() { fc-list :lang=ko 2>/dev/null | grep -q .; }
has_node() { has npm && node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null; }
offers_node() { apt-cache policy nodejs 2>/dev/null | grep -qE 'Candidate: ([0-9]+:)?(2[0-9]|[3-9][0-9])\.'; }

missing() {
    has chromium || echo chromium
    has_hangul || echo fontconfig fonts-noto-cjk
    has redis-server || echo redis-server
    has_postgresql || echo postgresql
    has_node || echo nodejs npm
}

install() {
    if ! has apt-get; then
        echo "There is no apt-get here to install what is missing."
        return
    fi
    if [ "$(id -u)" = 0 ]; then
        as_root=""
    elif sudo -n true 2>/dev/null; then
        as_root="sudo"
    else
        echo "This user may not install what is missing."
        return
    fi
    export DEBIAN_FRONTEND=noninteractive
    $as_root apt-get update -qq >/dev/null 2>&1
    for package in $(missing); do
        case $package in nodejs | npm) offers_node || continue ;; esac
        $as_root apt-get install -y -qq --no-install-recommends "$package" >/dev/null 2>&1
    done
}

[ -z "$(missing)" ] || install

has chromium || echo "Chromium is not installed: browser tests will be skipped."
has_hangul || echo "No font with Hangul is installed: screenshots will show boxes."
has redis-server || echo "redis-server is not installed: tests against a real Redis will be skipped."
has_postgresql || echo "PostgreSQL is not installed: tests against a real PostgreSQL will be skipped."
if ! has_node; then
    echo "node 20 or newer with npm is not installed: tests of the browser search will be skipped."
elif ! "${MAKE:-make}" --silent --no-print-directory browser; then
    echo "The packages of \`make browser\` could not be installed: tests of the browser search will be skipped."
fi
exit 0
