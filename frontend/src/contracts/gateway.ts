/**
 * Generated from the gateway's OpenAPI document by `npm run contracts`; never edited.
 *
 * Types only: what really arrives is checked field by field where it is read.
 */

/** The process answers. */
export interface Alive {
  readonly status?: "ok";
}

/** What became of a turn of the avatar. */
export interface Delivery {
  readonly state: DeliveryState;
  readonly how: How | null;
  readonly evidence: Evidence | null;
  readonly heard_s: number;
  readonly of_s: number | null;
}

/** How much of a segment reached its addressee. */
export type DeliveryState = "pending" | "full" | "partial" | "none" | "canceled" | "superseded" | "unknown";

/** What was erased, counted in stretches of words. */
export interface ErasedOut {
  readonly own_before: number;
  readonly own_after: number;
  readonly others: number;
}

/** On what word we believe it. */
export type Evidence = "listener" | "server" | "unknown";

/** One field that was not accepted. */
export interface FieldProblem {
  readonly field: string;
  readonly detail: string;
}

/** How delivery ended. */
export type How = "finished" | "interrupted" | "vanished" | "failed" | "withdrawn";

/** How long a link is good for. */
export interface InvitationIn {
  readonly expires_in_s?: number;
}

/** A new invitation. The link is shown this once. */
export interface InvitationOut {
  readonly invitation_id: string;
  readonly link: string;
  readonly expires_at: string;
}

/** Who asks. */
export interface Me {
  readonly person_id: string | null;
  readonly name: string;
  readonly scopes: readonly (Scope)[];
}

/** One part of the house. */
export interface PartOut {
  readonly name: string;
  readonly state: "starting" | "running" | "restarting" | "failed" | "stopped" | "off";
  readonly detail_code: string | null;
  readonly values: Readonly<Record<string, string | number>>;
}

/** Everybody who can be chosen at sign-in. */
export interface PeopleOut {
  readonly people: readonly (PersonOut)[];
}

/** A person of this installation. */
export interface PersonOut {
  readonly person_id: string;
  readonly name: string;
}

/** The shape of every error. */
export interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly (FieldProblem)[] | null;
}

/** Whether a conversation could begin now. */
export interface Ready {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, "ok" | "unavailable">>;
}

/** The link, or the part of it behind ``invitation=``. */
export interface Redeem {
  readonly link: string;
}

/** Where the invitation leads. */
export interface Redeemed {
  readonly session_id: string;
  readonly room_name: string;
  readonly character_id: string;
}

/** What a subject may do at all; rules decide about the single case. */
export type Scope = "talk" | "memory:own" | "memory:all" | "policy:read" | "policy:write" | "operate";

/** One session with the people who were ever admitted, the owner first. */
export interface SessionDetail {
  readonly session_id: string;
  readonly room_name: string;
  readonly owner: string;
  readonly mine: boolean;
  readonly character_id: string;
  readonly created_at: string;
  readonly ended_at: string | null;
  readonly people_count: number;
  readonly people: readonly (PersonOut)[];
}

/** One conversation in one room. */
export interface SessionOut {
  readonly session_id: string;
  readonly room_name: string;
  readonly owner: string;
  readonly mine: boolean;
  readonly character_id: string;
  readonly created_at: string;
  readonly ended_at: string | null;
  readonly people_count: number;
}

/** Sessions, newest first. */
export interface SessionsOut {
  readonly sessions: readonly (SessionOut)[];
}

/** A name, or the id of somebody whom this installation knows. */
export interface SignIn {
  readonly name?: string | null;
  readonly person_id?: string | null;
}

/** What runs. */
export interface Status {
  readonly build: string;
  readonly parts: readonly (PartOut)[];
}

/** ``livekit.TokenSourceRequest`` in JSON. Every field may be left out. */
export interface TokenBody {
  readonly room_name?: string | null;
  readonly participant_name?: string | null;
  /** Refused: the sign-in says who you are. */
  readonly participant_identity?: string | null;
  /** Refused. */
  readonly participant_metadata?: string | null;
  /** `time_zone` (IANA) and `language` (BCP 47). */
  readonly participant_attributes?: Readonly<Record<string, string>> | null;
  /** Only `agents`, with our agent and metadata `{"character": id}`. */
  readonly room_config?: Readonly<Record<string, unknown>> | null;
}

/** What LiveKit's client needs, and the session it leads to. */
export interface TokenOut {
  readonly server_url: string;
  readonly participant_token: string;
  readonly room_name: string;
  readonly session_id: string;
}

/** A stretch of the stream: envelopes of ``earwitness.runtime.v1``; what the asker could not perceive has ``position`` and ``digest`` only. */
export interface TrailOut {
  readonly stream: string;
  readonly items: readonly (Readonly<Record<string, unknown>>)[];
  readonly next_after: number;
  readonly head: number;
}

/** A session in the order in which things were heard. */
export interface Transcript {
  readonly session_id: string | null;
  readonly turns: readonly (TranscriptTurn)[];
}

/** One turn, as it was said (person) or heard (avatar). */
export interface TranscriptTurn {
  readonly turn_id: string;
  readonly speaker: "person" | "avatar";
  readonly participant_id: string;
  readonly channel: "speech" | "text";
  readonly at_s: number;
  readonly text: string;
  readonly generated_text: string | null;
  readonly delivery: Delivery | null;
  readonly supersedes: string | null;
}

/** Which program with which page this is; a page that finds another one is out of date. */
export interface Version {
  readonly software: string;
  readonly build: string;
}
