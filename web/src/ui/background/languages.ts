/** Which language a file is in, by its name; pure. */

const NAMES: Readonly<Record<string, string>> = {
  dockerfile: "dockerfile",
  containerfile: "dockerfile",
  makefile: "makefile",
  gnumakefile: "makefile",
  "cmakelists.txt": "cmake",
  jenkinsfile: "groovy",
  gemfile: "ruby",
  rakefile: "ruby",
  vagrantfile: "ruby",
  "go.mod": "go",
  ".bashrc": "bash",
  ".profile": "bash",
  ".zshrc": "bash",
  ".env": "bash",
  ".gitconfig": "ini",
  ".editorconfig": "ini",
  ".npmrc": "ini",
  "cargo.lock": "ini",
  "uv.lock": "ini",
  "poetry.lock": "ini",
  "nginx.conf": "nginx",
};

const ENDINGS: Readonly<Record<string, string>> = {
  pyi: "python",
  pyw: "python",
  cts: "typescript",
  mts: "typescript",
  vue: "xml",
  svelte: "xml",
  htm: "xml",
  jsonc: "json",
  json5: "json",
  ipynb: "json",
  webmanifest: "json",
  hh: "cpp",
  ino: "arduino",
  gradle: "groovy",
  cfg: "ini",
  conf: "ini",
  service: "ini",
  exs: "elixir",
  ex: "elixir",
  mli: "ocaml",
  ml: "ocaml",
  sc: "scala",
  psm1: "powershell",
  proto: "protobuf",
  sass: "scss",
  mk: "makefile",
};

/** Return what the highlighter calls the language of a path; a name without an ending is itself one. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const ending = name.slice(name.lastIndexOf(".") + 1);
  const named =
    of(NAMES, name) ?? (/^(docker|container)file\./.test(name) ? "dockerfile" : undefined);
  return named ?? of(ENDINGS, ending) ?? ending;
}

/** A file may be called `constructor`, too. */
function of(known: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(known, name) ? known[name] : undefined;
}
