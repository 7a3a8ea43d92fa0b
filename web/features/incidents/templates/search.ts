import { listSearch, openForm } from '#web/lib/data/list-search.ts';
import { defineSearch, type SearchOf, uuid } from '#web/lib/data/search-fields.ts';

export const templateSearch = defineSearch({ ...listSearch, open: openForm, site: uuid });
export type TemplateSearch = SearchOf<typeof templateSearch>;
