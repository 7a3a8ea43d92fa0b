// Components that are loaded when they are first shown, or before: then they are drawn at once, in the same pass.
import { type ComponentType, lazy, type ReactNode, useState } from 'react';

type Lazily<Props> = ((props: Props) => ReactNode) & {
  /** Loads it now. The router does not know of this one, and so does not wait for it. */
  load: () => Promise<unknown>;
};

const renewals = new WeakMap<Error, () => void>();

/**
 * React.lazy remembers a failed load. After this call the next mount loads again what failed with this error. Only for
 * error boundaries that have caught it: while a component is suspended, React mounts it again and again.
 */
export function loadAgainAtNextMount(error: unknown): void {
  if (error instanceof Error) renewals.get(error)?.();
}

/** @param load imports the component; called once, unless it fails */
export function lazily<Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
): Lazily<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async () => {
    loaded ??= await load();
    return loaded;
  };
  const makeLate = () =>
    lazy(async () => {
      try {
        return { default: await loadOnce() };
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error));
        renewals.set(failure, () => {
          late = makeLate();
        });
        throw failure;
      }
    });
  let late: ComponentType<Props> = makeLate();

  // biome-ignore lint/correctness/noComponentHookFactories: made once for each module, as React.lazy does.
  function Component(props: Props) {
    // Chosen once: another type in its place would lose what the screen holds.
    const [Chosen] = useState<ComponentType<Props>>(() => loaded ?? late);
    return <Chosen {...props} />;
  }
  return Object.assign(Component, { load: loadOnce });
}
