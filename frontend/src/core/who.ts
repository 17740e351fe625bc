/** Who uses this page: asked once, then known by the cookie that the gateway set. */

import { assertNever } from "./assertNever";
import type { Gateway, Person, Problem, Reply } from "./ports";
import { createStore, type Readable } from "./store";

export type Who =
  | { readonly kind: "looking" }
  | { readonly kind: "unreachable" }
  | {
      readonly kind: "stranger";
      readonly people: readonly Person[];
      readonly busy: boolean;
      readonly trouble: SignInTrouble | undefined;
    }
  | { readonly kind: "known"; readonly person: Person };

export type SignInTrouble =
  | { readonly kind: "unreachable" }
  | { readonly kind: "too_many"; readonly retryAfterS: number | undefined }
  | { readonly kind: "refused"; readonly detail: string };

export interface WhoIsHere {
  readonly who: Readable<Who>;
  look(): Promise<void>;
  /** Whether the person is known now. */
  signIn(as: { name: string } | { personId: string }): Promise<boolean>;
  signOut(): Promise<void>;
}

export function createWho(gateway: Gateway): WhoIsHere {
  const who = createStore<Who>({ kind: "looking" });

  const look = async (): Promise<void> => {
    const reply = await gateway.me();
    if (reply.ok) who.set({ kind: "known", person: reply.value });
    else if (reply.problem.kind === "unreachable") who.set({ kind: "unreachable" });
    else await welcome();
  };

  const welcome = async (): Promise<void> => {
    const people = await gateway.people();
    const known = people.ok ? people.value : [];
    who.set({ kind: "stranger", people: known, busy: false, trouble: undefined });
  };

  const settle = (reply: Reply<Person>): boolean => {
    if (reply.ok) {
      who.set({ kind: "known", person: reply.value });
      return true;
    }
    const trouble = troubleOf(reply.problem);
    who.update((now) => (now.kind === "stranger" ? { ...now, busy: false, trouble } : now));
    return false;
  };

  return {
    who,
    look,
    signIn: async (as) => {
      const now = who.get();
      if (now.kind !== "stranger" || now.busy) return false;
      who.set({ ...now, busy: true, trouble: undefined });
      return settle(await gateway.signIn(as));
    },
    signOut: async () => {
      if (await gateway.signOut()) await welcome();
    },
  };
}

function troubleOf(problem: Problem): SignInTrouble {
  switch (problem.kind) {
    case "unreachable":
      return { kind: "unreachable" };
    case "too_many":
      return { kind: "too_many", retryAfterS: problem.retryAfterS };
    case "refused":
      return { kind: "refused", detail: problem.detail };
    case "stranger":
    case "not_found":
    case "unreadable":
      return { kind: "refused", detail: "" };
    default:
      return assertNever(problem);
  }
}
