// Body fields that start a PKCE flow.
import { text } from './json.ts';

export const challengeFields = { code_challenge: text, code_challenge_method: text };
