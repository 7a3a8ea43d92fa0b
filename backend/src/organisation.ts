/** Signs mails and names the accounts in authenticator apps and passkey prompts. */
export interface Organisation {
  name: string;
  shortName: string;
  email: string;
  /** Postal address, one line. */
  addressLabel: string;
  /** Telephone number for urgent questions. */
  hotline: string;
  /** IANA zone of the times in mails. */
  timeZone: string;
}
