// Makes an account with a temporary password and mails its owner: the function `invite-user`.
import { z } from 'zod';
import { useChange } from '#web/lib/data/records.ts';
import { invokeFunction } from '#web/lib/supabase/functions.ts';
import { usersKey } from '../../../lib/data/keys.ts';
import type { Invitation } from '../schema.ts';

const answerSchema = z.object({ user_id: z.uuid() });

/** @returns id of the new account @throws the function's refusal, in words for the admin */
async function inviteUser(invitation: Invitation): Promise<string> {
  return answerSchema.parse(await invokeFunction('invite-user', invitation)).user_id;
}

export const useInviteUser = () => useChange(usersKey, inviteUser);
