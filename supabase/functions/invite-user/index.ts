// POST { email, full_name, password } → { user_id }: an admin creates an account with a temporary password.
import { answerPost } from '../_shared/answer.ts';
import { serviceClient } from '../_shared/clients.ts';
import { requireAdmin } from '../_shared/require-admin.ts';
import { invite, readInvitation } from './invite.ts';

Deno.serve((request) =>
  answerPost(request, async () => {
    await requireAdmin(request);
    const invitation = await readInvitation(request);
    return { user_id: await invite(serviceClient(), invitation, request.headers.get('origin')) };
  }),
);
