export interface TextMessage {
  /** E.164 digits without the plus sign. */
  phone: string;
  text: string;
  code: string;
  /** Id of the account. */
  userId: string;
}

export interface SmsSender {
  /** `sms_provider` in `/settings`. */
  name: string;
  /** @throws Error with the carrier's message, never with the code */
  send(message: TextMessage): Promise<void>;
}
