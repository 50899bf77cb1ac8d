/** Tells a key that decides from one of a word, a sequence, or a press that was held or doubled. */

/** A key that went down, as much as is needed to judge the next one. */
export interface Pressed {
  readonly key: string;
  readonly at: number;
  readonly target: unknown;
  readonly isRepeat?: boolean;
  readonly isModified?: boolean;
}

const APART_MS = 500;

let before: Pressed | null = null;
let last: Pressed | null = null;

/**
 * Tell whether a key was meant for what has the focus now, by the one before it.
 *
 * Letters that come together are a word, whose place the person mistook. Enter or Space right after
 * a key that moved the focus is a press that was doubled. A key with a modifier is always meant.
 */
export function isDeliberate(key: Pressed, previous: Pressed | null): boolean {
  if (key.isRepeat) {
    return false;
  }
  if (key.isModified || previous === null || key.at - previous.at >= APART_MS) {
    return true;
  }
  const isLetter = key.key.length === 1 && key.key !== " ";
  const wasAction = previous.key.length === 1 || previous.key === "Enter";
  return !wasAction || !(isLetter || key.target !== previous.target);
}

/** Tell whether the newest thing that the person did, if it was a key, was meant. */
export function isLastPressDeliberate(): boolean {
  return last === null || isDeliberate(last, before);
}

/**
 * Do what a key says once it is known to be meant: the next letter of a word takes it back.
 *
 * So does a click, and any other key within half a second.
 */
export function onceMeant(run: () => void): void {
  const pressed = last;
  if (isLastPressDeliberate()) {
    setTimeout(() => {
      if (last === pressed) {
        run();
      }
    }, APART_MS);
  }
}

/** Listen to what is pressed, before anything else does. */
export function watchKeys(): void {
  window.addEventListener("keydown", note, true);
  window.addEventListener("pointerdown", forget, true);
}

function note(event: KeyboardEvent): void {
  if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) {
    return;
  }
  before = last;
  last = {
    key: event.key,
    at: event.timeStamp,
    target: event.target,
    isRepeat: event.repeat,
    isModified: event.metaKey || event.ctrlKey || event.altKey,
  };
}

function forget(): void {
  before = null;
  last = null;
}
