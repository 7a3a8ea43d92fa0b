import { at, realAt } from '#shared/roster/arrays.ts';

/** Limits of memory: 4 bytes for each state that has a number, 16 for each one that is reached. */
const MOST_STATES = 8_000_000;
const MOST_REACHED = 4_000_000;
const MOST_EPOCH = 1_000_000_000;

/** The states that a row reaches day by day, each with its least price and the state that it came from. */
export class RowStates {
  state = new Int32Array(4096);
  price = new Float64Array(4096);
  count = 0;
  private from = new Int32Array(4096);
  /** Position of each state, plus `epoch`. It is current when it is not before the day's first. */
  private position = new Int32Array(4096);
  private epoch = 1;
  private dayStart = 1;

  /** Starts a new row with one state. @returns false when so many states are too many */
  begin(states: number, first: number): boolean {
    this.epoch += this.count;
    this.count = 0;
    if (states > MOST_STATES) return false;
    if (this.epoch > MOST_EPOCH) {
      this.position.fill(0);
      this.epoch = 1;
    }
    if (this.position.length < states) this.position = new Int32Array(Math.ceil(states * 1.5));
    this.state[0] = first;
    this.price[0] = 0;
    this.count = 1;
    return true;
  }

  /** Starts the next day. @returns false when `most` more states may be too many */
  beginDay(most: number): boolean {
    this.dayStart = this.epoch + this.count;
    const needed = this.count + most;
    if (needed > MOST_REACHED) return false;
    if (needed <= this.state.length) return true;
    const size = Math.min(MOST_REACHED, needed * 2);
    const { state, price, from } = this;
    this.state = new Int32Array(size);
    this.price = new Float64Array(size);
    this.from = new Int32Array(size);
    this.state.set(state);
    this.price.set(price);
    this.from.set(from);
    return true;
  }

  reach(target: number, price: number, from: number): void {
    const found = at(this.position, target);
    let index = found - this.epoch;
    if (found < this.dayStart) {
      index = this.count++;
      this.position[target] = this.epoch + index;
      this.state[index] = target;
    } else if (price >= realAt(this.price, index)) return;
    this.price[index] = price;
    this.from[index] = from;
  }

  cameFrom(index: number): number {
    return at(this.from, index);
  }
}
