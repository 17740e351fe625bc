/** Small readers of untrusted JSON: each gives the value of the wanted type, or undefined. */

export type Fields = Readonly<Record<string, unknown>>;

export function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

export function fields(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined;
}

/** The fields that `T` promises, before anybody has looked at what they hold. */
export type Promised<T> = { readonly [Field in keyof T]?: unknown };

export function promised<T>(value: unknown): Promised<T> | undefined {
  return fields(value) as Promised<T> | undefined;
}

export function list(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? (value as readonly unknown[]) : undefined;
}

export function text(value: unknown, longest = 100_000): string | undefined {
  return typeof value === "string" ? value.slice(0, longest) : undefined;
}

/** A name of something: never empty, never long. */
export function id(value: unknown): string | undefined {
  return typeof value === "string" && value.length > 0 && value.length <= 200 ? value : undefined;
}

export function real(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function count(value: unknown): number | undefined {
  const found = real(value);
  return found !== undefined && Number.isInteger(found) && found >= 0 ? found : undefined;
}

export function oneOf<const T extends string>(
  value: unknown,
  allowed: readonly T[],
): T | undefined {
  return allowed.find((word) => word === value);
}
