/** Answers that came too late: kept in this browser until the person has seen it, and has their words. */

import { useSyncExternalStore } from "react";

/** What a person answers, or is about to: where, and under which draft their words are kept. */
export interface Subject {
  readonly requestId: string;
  readonly title: string;
  /** Empty where a flow run asks. */
  readonly threadId: string;
  /** Of the task that asks; empty where the thread does. */
  readonly taskId: string;
  /** The name of the draft; empty where there are no words. */
  readonly draft: string;
}

/** An answer that is being written, or was refused since another came before it. */
export interface Unsent extends Subject {
  /** Why the engine refused it; null while it is being written. */
  readonly why: string | null;
}

const KEY = "treadle.unsent";
const DRAFT = "treadle.draft.";
const watchers = new Set<() => void>();
let known: readonly Unsent[] = read();

function read(): readonly Unsent[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as Unsent[];
  } catch {
    return [];
  }
}

function isSame(one: Subject, other: Subject): boolean {
  return one.threadId === other.threadId && one.requestId === other.requestId;
}

function put(subject: Subject, unsent: Unsent | null): void {
  const others = read().filter((each) => !isSame(each, subject));
  known = unsent === null ? others : [...others, unsent];
  localStorage.setItem(KEY, JSON.stringify(known));
  for (const notify of watchers) {
    notify();
  }
}

/** Return what was typed for an answer. */
export function draftTextOf(subject: Subject): string {
  return subject.draft === "" ? "" : (localStorage.getItem(`${DRAFT}${subject.draft}`) ?? "");
}

/** Note that a person writes an answer, so that they are told where another answers first. */
export function isWriting(subject: Subject): void {
  const isTyped = draftTextOf(subject).trim() !== "";
  const noted = known.find((each) => isSame(each, subject));
  if (isTyped && noted === undefined) {
    put(subject, { ...subject, why: null });
  } else if (!isTyped && noted?.why === null) {
    put(subject, null);
  }
}

/** Note that an answer was refused, and why. */
export function wasRefused(subject: Subject, why: string): void {
  put(subject, { ...subject, why });
}

/** Forget an answer: it is on its way, or the person knows that it was not taken. */
export function forget(subject: Subject): void {
  if (known.some((each) => isSame(each, subject))) {
    put(subject, null);
  }
}

/** Forget an answer and the words of it. */
export function discard(subject: Subject): void {
  if (subject.draft !== "") {
    localStorage.removeItem(`${DRAFT}${subject.draft}`);
  }
  forget(subject);
}

/** All answers that were not taken so far. */
export function useUnsent(): readonly Unsent[] {
  return useSyncExternalStore(
    (report) => {
      watchers.add(report);
      return () => watchers.delete(report);
    },
    () => known,
  );
}
