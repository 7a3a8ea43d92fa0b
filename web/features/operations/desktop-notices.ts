const isSupported = () => 'Notification' in window;

/** Asks the user, in a press. @returns whether notices may show */
export async function allowNotices(): Promise<boolean> {
  return isSupported() && (await Notification.requestPermission()) === 'granted';
}

/** @param tag one notice for each; a later one with the same tag replaces it */
export async function showNotice(title: string, body: string, tag: string): Promise<void> {
  if (!isSupported() || Notification.permission !== 'granted') return;
  // Phones allow only those of the service worker.
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) await worker.showNotification(title, { body, tag });
  else new Notification(title, { body, tag }).onclick = () => window.focus();
}
