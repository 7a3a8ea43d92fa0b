/** In sessionStorage, so that on a shared computer the draft is deleted with the tab. */
const KEY = 'contact-draft';
const FIELDS = ['name', 'email', 'company', 'message'];

const isField = (element: unknown) =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

const fieldsOf = (form: HTMLFormElement) =>
  FIELDS.map((name) => form.elements.namedItem(name)).filter(isField);

/** Storage may be blocked; the form works without a draft. */
function withStorage(work: (storage: Storage) => void): void {
  try {
    work(sessionStorage);
  } catch (error) {
    console.warn('The draft of the contact form was not saved.', error);
  }
}

export function deleteDraft(): void {
  withStorage((storage) => storage.removeItem(KEY));
}

/**
 * Fills empty fields from the draft and saves what is typed from now on. Resetting the form deletes the draft.
 * @param root contains the form
 */
export function keepDraft(root: HTMLElement): void {
  const form = root.querySelector('form');
  withStorage((storage) => {
    const draft = new URLSearchParams(storage.getItem(KEY) ?? '');
    for (const field of form ? fieldsOf(form) : []) field.value ||= draft.get(field.name) ?? '';
  });
  root.addEventListener('input', ({ target }) => {
    const changed = isField(target) && target.form;
    if (!changed) return;
    const draft = new URLSearchParams(fieldsOf(changed).map(({ name, value }) => [name, value]));
    withStorage((storage) => storage.setItem(KEY, draft.toString()));
  });
  root.addEventListener('reset', deleteDraft);
}

/**
 * Submits the form without our code, for when that code can't be loaded: some browsers cache a failed import until
 * the page is reloaded. Navigates to the server's response.
 * @returns false if offline, where the browser's error page would lose what was typed
 */
export async function postForm(form: HTMLFormElement): Promise<boolean> {
  const response = await fetch('/app-config.json', { cache: 'no-store' }).catch(() => undefined);
  if (!response?.ok) return false;
  deleteDraft();
  // form.submit() fires no submit event, so our handlers don't run.
  form.submit();
  return true;
}
