// What is said of something that the outbox keeps for now.
export const WAITS =
  'Waiting to send. It is kept on this phone and sent as soon as there is a signal.';
