// POST { email, full_name, password } → { user_id }: an admin creates an account with a temporary password.
import { answerPost } from '../_shared/answer.ts';
import { callersClient, serviceClient } from '../_shared/clients.ts';
import { invite, readInvitation } from './invite.ts';
import { requireAdmin } from './require-admin.ts';

Deno.serve((request) =>
  answerPost(request, async () => {
    const token = /^bearer\s+(.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
    await requireAdmin(callersClient(token), token);
    const invitation = await readInvitation(request);
    return { user_id: await invite(serviceClient(), invitation, request.headers.get('origin')) };
  }),
);
