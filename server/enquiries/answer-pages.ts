// The pages that answer a posted form, rendered by the renderer that the web build writes to dist/site.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ContactOutcome } from '../../shared/contact-message.ts';

interface Renderer {
  contactAnswer(outcome: ContactOutcome): string;
}

function isRenderer(module: unknown): module is Renderer {
  return (
    typeof module === 'object' &&
    module !== null &&
    'contactAnswer' in module &&
    typeof module.contactAnswer === 'function'
  );
}

const BODY = '<!--answer-->';

/** @param webDir the built web app; the renderer and the page template are beside it */
export function openAnswerPages(webDir: string) {
  const folder = path.join(webDir, '..', 'site');
  let parts: Promise<[Renderer, frame: string]> | undefined;

  // Loaded with the first posted form: there are few, and the start doesn't wait for it.
  const load = async (): Promise<[Renderer, frame: string]> => {
    const module: unknown = await import(pathToFileURL(path.join(folder, 'render.mjs')).href);
    if (!isRenderer(module)) throw new Error('dist/site/render.mjs draws no answers.');
    return [module, await readFile(path.join(folder, 'answer.html'), 'utf8')];
  };

  return {
    async render(outcome: ContactOutcome): Promise<string> {
      parts ??= load();
      const [renderer, frame] = await parts;
      return frame.replace(BODY, () => renderer.contactAnswer(outcome));
    },
  };
}
