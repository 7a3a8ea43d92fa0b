// Which row of a contract counts for a place on a day, what an hour costs then, and the tax of the day.
import { TAXES } from '../clients.ts';
import type { Client, Contract, Kind, Place, Term } from '../facts.ts';

const holds = ({ first, last }: { first: number; last?: number }, day: number): boolean =>
  day >= first && (last === undefined || day <= last);

/** The row of the post before that of the whole site. */
export function termOn(client: Client, { site, post }: Place, day: number): Term | undefined {
  const terms = client.contracts.flatMap((contract) =>
    contract.terms.filter((term) => term.site === site && holds(term, day)),
  );
  return (
    terms.find((term) => post !== null && term.post === post) ??
    terms.find((term) => term.post === null)
  );
}

/** The morning of a contract's last night belongs to the night, unless another contract has the day. */
export const billedOn = (place: Place, day: number, began: number): number =>
  began === day - 1 && !termOn(place.client, place, day) && termOn(place.client, place, began)
    ? began
    : day;

/** Of its kind before the regular price, of the post before the contract; the latest that has begun. */
export function priceOn({ contract, ...term }: Term, kind: Kind, day: number): bigint | undefined {
  const begun = contract.rates.filter(
    (rate) => rate.from <= day && (rate.term === undefined || rate.term.id === term.id),
  );
  const latest = (of: Kind, isOfPost: boolean) =>
    begun
      .filter((rate) => rate.kind === of && (rate.term !== undefined) === isOfPost)
      .sort((a, b) => b.from - a.from)[0];
  const found =
    latest(kind, true) ??
    latest(kind, false) ??
    latest('regular', true) ??
    latest('regular', false);
  return found?.amount;
}

export const taxOn = ({ tax }: Contract, day: number): bigint | undefined =>
  TAXES.filter(([name, from]) => name === tax && from <= day).sort(([, a], [, b]) => b - a)[0]?.[2];
