// Posts the contact form as a browser without JavaScript does, for when the code that sends it can't be loaded. Some browsers
// remember a failed import until the page is reloaded.
import { forgetDraft } from './draft.ts';

/**
 * Leaves the page for the server's answer.
 * @returns false without a connection: an error page of the browser would take the place of what was typed
 */
export async function postForm(form: HTMLFormElement): Promise<boolean> {
  const answer = await fetch('/app-config.json', { cache: 'no-store' }).catch(() => undefined);
  if (!answer?.ok) return false;
  forgetDraft();
  // Raises no submit event, so no code of ours gets in between.
  form.submit();
  return true;
}
