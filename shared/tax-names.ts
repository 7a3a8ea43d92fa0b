/** Taxes that come with the product, by their names among `tax_rates`. Contracts name others. */
export const VAT = 'VAT';
/** What clients keep from payments for services, and pay to the tax office themselves. */
export const WITHHOLDING = 'Withholding by clients';
