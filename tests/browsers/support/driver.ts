/** What both browsers do for a page. */
export type Driver = {
  /** Name and version of the browser. */
  version: string;
  /** Waits until the page has loaded. */
  navigate: (url: string) => Promise<void>;
  /** Size of the viewport in CSS pixels. */
  resize: (width: number, height: number) => Promise<void>;
  /** Evaluates the expression in the page and waits for the promise that it may be. */
  evaluate: (expression: string) => Promise<unknown>;
  /** Input sources with their actions (W3C WebDriver, section 15); the same in WebDriver and WebDriver BiDi. */
  perform: (sources: object[]) => Promise<void>;
  /** @param element an expression that is an `<input type="file">` @param file a path */
  upload: (element: string, file: string) => Promise<void>;
  /** A PNG of the viewport. */
  screenshot: () => Promise<Buffer>;
  /** Errors in the console since the last call. */
  problems: () => Promise<string[]>;
  /** Ends the page and deletes its storage. */
  close: () => Promise<void>;
};

export type LaunchedBrowser = {
  /** Opens a page that shares no storage with earlier ones. Close the one before first: WebKitWebDriver has one session. */
  openPage: () => Promise<Driver>;
  close: () => Promise<void>;
};
