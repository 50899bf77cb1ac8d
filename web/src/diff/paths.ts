/** Paths as git writes them into patches: quoted like C where they hold anything odd; pure. */

const ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  "\\": 92,
};

/** Return a path as it is; one in quotes is read, with its bytes in octal. */
export function unquoted(word: string): string {
  if (!word.startsWith('"')) {
    return word;
  }
  const bytes: number[] = [];
  const inner = word.slice(1, word.endsWith('"') ? -1 : undefined);
  const parts = inner.matchAll(/\\([0-7]{1,3})|\\(.)|([^\\]+)/gsu);
  for (const [, octal, letter, plain] of parts) {
    if (octal !== undefined) {
      bytes.push(Number.parseInt(octal, 8) & 255);
    } else if (letter !== undefined) {
      bytes.push(ESCAPES[letter] ?? letter.charCodeAt(0));
    } else if (plain !== undefined) {
      bytes.push(...new TextEncoder().encode(plain));
    }
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

/** Return the two paths of a `diff --git` line without its beginning, as far as they can be told. */
export function pathsOf(line: string): readonly [string, string] {
  const [first, second] = split(line);
  return [first.replace(/^[a-z]\//, ""), second.replace(/^[a-z]\//, "")];
}

function split(line: string): readonly [string, string] {
  if (line.startsWith('"')) {
    const end = /^"(?:[^"\\]|\\.)*"/.exec(line)?.[0] ?? line;
    return [unquoted(end), unquoted(line.slice(end.length + 1))];
  }
  if (line.endsWith('"')) {
    const begin = line.indexOf(' "');
    return [line.slice(0, begin), unquoted(line.slice(begin + 1))];
  }
  // unquoted, both are the same name but in renames, whose own lines tell it
  const middle = (line.length - 1) / 2;
  return [line.slice(0, middle), line.slice(middle + 1)];
}

const MANIFESTS = new Set([
  "package.json",
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "pyproject.toml",
  "setup.py",
  "setup.cfg",
  "pipfile",
  "pipfile.lock",
  "poetry.lock",
  "uv.lock",
  "cargo.toml",
  "cargo.lock",
  "go.mod",
  "go.sum",
  "gemfile",
  "gemfile.lock",
  "composer.json",
  "composer.lock",
  "pom.xml",
  "build.gradle",
  "build.gradle.kts",
  "mix.exs",
  "mix.lock",
  "flake.nix",
  "flake.lock",
  "dockerfile",
]);

/** Tell whether a file says what a project depends on: code of others comes in through it. */
export function isManifest(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return MANIFESTS.has(name) || /^requirements.*\.(txt|in)$/.test(name);
}

/** Return a path's folder and its name. */
export function folderAndName(path: string): readonly [string, string] {
  const end = path.lastIndexOf("/") + 1;
  return [path.slice(0, end), path.slice(end)];
}
