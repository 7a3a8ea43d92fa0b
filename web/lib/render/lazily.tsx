import { type ComponentType, lazy, type ReactNode, useState } from 'react';

type Lazily<Props> = ((props: Props) => ReactNode) & {
  /** Loads it now. The router doesn't know of this component and doesn't wait for it. */
  load: () => Promise<unknown>;
};

const retries = new WeakMap<Error, () => void>();

/**
 * React.lazy remembers a failed load. After this call the next mount loads the component again. Only for error boundaries
 * that have caught the error: React mounts a suspended component repeatedly.
 */
export function retryAtNextMount(error: unknown): void {
  if (error instanceof Error) retries.get(error)?.();
}

/**
 * React.lazy for components that may be loaded before they are rendered: they then render in the same pass, without a
 * fallback.
 * @param load imports the component; called once, unless it fails
 */
export function lazily<Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
): Lazily<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async () => {
    loaded ??= await load();
    return loaded;
  };
  const makeLazy = () =>
    lazy(async () => {
      try {
        return { default: await loadOnce() };
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error));
        retries.set(failure, () => {
          lazyComponent = makeLazy();
        });
        throw failure;
      }
    });
  let lazyComponent: ComponentType<Props> = makeLazy();

  // biome-ignore lint/correctness/noComponentHookFactories: called once per module, like React.lazy.
  function Component(props: Props) {
    // Chosen once: another type in its place would reset the component's state.
    const [Chosen] = useState<ComponentType<Props>>(() => loaded ?? lazyComponent);
    return <Chosen {...props} />;
  }
  return Object.assign(Component, { load: loadOnce });
}
