/** What of @preact/signals-core is used. */
export interface ReadonlySignal<T> {
  readonly value: T;
  /** The value, without the effect that reads it following the signal. */
  peek(): T;
}
export interface Signal<T> extends ReadonlySignal<T> {
  value: T;
}
export function signal<T>(value: T): Signal<T>;
export function computed<T>(compute: () => T): ReadonlySignal<T>;
/** Run `act` now, and again when a signal that it read changes. */
export function effect(act: () => void): () => void;
/** Run `act` without following what it reads. */
export function untracked<T>(act: () => T): T;
/** Run `act`; effects follow once, at its end. */
export function batch<T>(act: () => T): T;
