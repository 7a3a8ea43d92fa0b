// What an admin sends to invite somebody, checked (SPECIFICATION, Invite user).
import { z } from 'zod';
import { Refusal } from '../_shared/answer.ts';

const Invitation = z.object({
  email: z
    .string({ error: 'Email is required' })
    .trim()
    .toLowerCase()
    .max(255, 'Email must be less than 255 characters')
    .pipe(z.email('Invalid email address')),
  full_name: z
    .string({ error: 'Full name is required' })
    .trim()
    .min(1, 'Full name is required')
    .max(200, 'Full name must be less than 200 characters'),
  password: z
    .string({ error: 'Temporary password is required' })
    .min(8, 'The temporary password must be at least 8 characters'),
});
export type Invitation = z.infer<typeof Invitation>;

/** @throws Refusal 400 with the first thing that is wrong */
export async function readInvitation(request: Request): Promise<Invitation> {
  const body: unknown = await request.json().catch(() => {
    throw new Refusal(400, 'bad_json', 'The request body is not JSON.');
  });
  const parsed = Invitation.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new Refusal(400, 'validation_failed', parsed.error.issues[0]?.message ?? 'Invalid input');
}
