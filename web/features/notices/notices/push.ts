// Push messages to this browser (W3C Push API).
import { isAppleTab } from '#web/lib/app/install.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** `install`: on iPhone and iPad only the installed app has push messages. */
export type PushState = 'on' | 'off' | 'denied' | 'install' | 'unsupported';

const isSupported = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

export async function readPushState(): Promise<PushState> {
  if (!isSupported()) return isAppleTab() ? 'install' : 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return (await currentSubscription()) && Notification.permission === 'granted' ? 'on' : 'off';
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const base64 = base64url.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

async function register(subscription: PushSubscription): Promise<void> {
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {};
  await supabase()
    .rpc('subscribe_push', {
      p_endpoint: subscription.endpoint,
      p_p256dh: p256dh,
      p_auth: auth,
    })
    .throwOnError();
}

/**
 * Asks the user for permission and subscribes.
 * @param serverKey public key of the server, base64url
 * @throws Error with a message for the user
 */
export async function turnPushOn(serverKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error(
      'Your browser does not allow notices from this site. Change it in the browser’s settings.',
    );
  }
  const registration = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(serverKey) };
  await register(await registration.pushManager.subscribe(options));
}

export async function turnPushOff(): Promise<void> {
  const subscription = await currentSubscription();
  if (!subscription) return;
  await supabase().rpc('unsubscribe_push', { p_endpoint: subscription.endpoint }).throwOnError();
  await subscription.unsubscribe();
}

const REGISTERED = 'push-registered';

/**
 * Ties the browser's subscription to the session after a new sign-in: signing out has ended it on the server.
 * @param session differs after each sign-in
 */
export async function renewPush(session: string): Promise<void> {
  if (!isSupported() || Notification.permission !== 'granted') return;
  if (localStorage.getItem(REGISTERED) === session) return;
  const subscription = await currentSubscription();
  if (!subscription) return;
  await register(subscription);
  localStorage.setItem(REGISTERED, session);
}
