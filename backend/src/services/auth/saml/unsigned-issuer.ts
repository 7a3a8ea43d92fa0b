// The issuer of an unverified response, only for finding the provider whose certificates verify it.
import { parseXml2JsFromString } from '@node-saml/node-saml/lib/xml.js';
import { z } from 'zod';
import { hasDocumentType } from './metadata.ts';

const Response = z.object({
  Response: z.object({ Issuer: z.tuple([z.object({ _: z.string() })]) }),
});

/** @param response base64 */
export async function claimedIssuer(response: string): Promise<string | undefined> {
  const xml = Buffer.from(response, 'base64').toString('utf8');
  if (hasDocumentType(xml)) return undefined;
  const parsed = await parseXml2JsFromString(xml).catch(() => undefined);
  const result = Response.safeParse(parsed);
  return result.success ? result.data.Response.Issuer[0]._ : undefined;
}
