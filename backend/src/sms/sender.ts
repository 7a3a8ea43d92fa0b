// What carries a text message.

export interface TextMessage {
  /** E.164 digits without the plus sign. */
  phone: string;
  text: string;
  code: string;
  /** Id of the account. */
  userId: string;
}

export interface SmsSender {
  /** As `/settings` shows it. */
  name: string;
  /** @throws Error with what the carrier said, never with the code */
  send(message: TextMessage): Promise<void>;
}
