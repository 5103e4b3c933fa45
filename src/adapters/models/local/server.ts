import type { JsonObject } from "#core";
import type { Capabilities } from "../capabilities.ts";
import type { Heard } from "../shared/ask-json.ts";

export interface LocalKnowledge extends Partial<Pick<Capabilities, "tools" | "images">> {
  readonly window?: number;
}

/** A model that a server of this machine offers. */
export interface LocalModel {
  readonly name: string;
  /** It is in memory: its first reply comes at once. */
  readonly isLoaded: boolean;
  /** What the server says of it; what it does not say is left out. */
  readonly knowledge: LocalKnowledge;
  /** The window is what the model was made for; the server may serve it with a smaller one. */
  readonly windowMayBeLess: boolean;
}

/** Why a server that listens offers nothing. */
export type LocalTrouble =
  | { readonly type: "silent" }
  | { readonly type: "no_json"; readonly isHtml: boolean }
  | { readonly type: "too_large" }
  /** JSON, but no list of models. */
  | { readonly type: "no_list" }
  | { readonly type: "redirect"; readonly to: string }
  /** It wants a key. */
  | { readonly type: "locked"; readonly status: number }
  /** It is there and not ready. */
  | { readonly type: "status"; readonly status: number }
  | { readonly type: "failure"; readonly message: string };

/** What is at the place of a server. */
export type LocalServer = {
  readonly provider: string;
  readonly baseUrl: string;
} & (
  | { readonly at: "found"; readonly models: readonly LocalModel[] }
  /** Nothing that speaks HTTP. */
  | { readonly at: "absent"; readonly why: string }
  | { readonly at: "trouble"; readonly trouble: LocalTrouble }
);

/** Asks one server something; the path counts from its root, not from `/v1`. */
type Ask = (path: string, body?: JsonObject) => Promise<Heard>;

/**
 * How one kind of server tells of its models: those it offers for chat, or what came instead.
 * @param only the one that matters, when the others need not be looked at
 */
export type Tell = (ask: Ask, only: string | null) => Promise<readonly LocalModel[] | Heard>;
