/**
 * A token: `srt_` and the 8 characters that identify it may be shown (docs/interface.md#api-keys), the rest is secret.
 */
const TOKEN = /(srt_[\w-]{8})[\w-]+/g;

/** A text without the secret part of the tokens in it. */
export function withoutTokens(text: string): string {
  return text.includes('srt_') ? text.replace(TOKEN, '$1_[secret]') : text;
}
