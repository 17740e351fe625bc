/** Closes a `switch` over a union: reaching it is a type error, and at run time a bug. */
export function assertNever(value: never): never {
  throw new Error(`not foreseen: ${JSON.stringify(value)}`);
}
