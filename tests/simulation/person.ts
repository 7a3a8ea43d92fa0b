// Somebody with an account: signs in with the code or password from the office, chooses a password, and acts through screens.
import { type Client, type Door, Refused } from './door.ts';

const PASSWORD = 'A-Walk-Along-Camp-Johnson-Road-4';

export interface Person {
  name: string;
  id: string;
  /** E-mail address or phone number. */
  login: string;
  client: Client;
}

interface AuthAnswer {
  error: { message: string; status?: number | undefined; code?: string | undefined } | null;
}

/** @throws Refused */
function refuse({ error }: AuthAnswer): void {
  if (error) throw new Refused(error.status ?? 0, error.code ?? '', error.message);
}

const credentials = (login: string) =>
  login.startsWith('+') ? { phone: login } : { email: login };

async function choosePassword(client: Client): Promise<string> {
  const answer = await client.auth.updateUser({ password: PASSWORD });
  refuse(answer);
  return answer.data.user?.id ?? '';
}

/** The session of before has expired. */
export async function signInAgain({ login, client }: Person): Promise<void> {
  refuse(await client.auth.signInWithPassword({ ...credentials(login), password: PASSWORD }));
}

/** With the password that `npm run admin:create` has printed. */
export async function openWithPassword(
  door: Door,
  name: string,
  login: string,
  password: string,
): Promise<Person> {
  const client = door.client();
  refuse(await client.auth.signInWithPassword({ ...credentials(login), password }));
  return { name, login, client, id: await choosePassword(client) };
}

/** With the start code that the office hands over. */
export async function openWithCode(
  door: Door,
  name: string,
  login: string,
  code: string,
): Promise<Person> {
  const client = door.client();
  const { data, error } = await client.functions.invoke<{
    access_token: string;
    refresh_token: string;
  }>('use-start-code', { body: { login, code } });
  if (error || data === null) throw error ?? new Error('The start code got no session.');
  refuse(await client.auth.setSession(data));
  return { name, login, client, id: await choosePassword(client) };
}
