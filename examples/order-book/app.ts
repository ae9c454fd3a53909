import {
  type App,
  type AppOptions,
  type Context,
  createApp,
  createTable,
  integers,
  message,
  query,
  refuse,
  type State,
} from '@org/app'
import { z } from 'zod'

/*
 * A market on which gold is traded for coins. Each order has a limit price. A new order is matched with the best older
 * orders, at the price of the older order. The rest of the new order waits in the book. The market holds the money of
 * waiting orders.
 */

type Asset = 'gold' | 'coins'
type Side = 'buy' | 'sell'

interface Order {
  readonly id: string
  readonly owner: string
  readonly side: Side
  readonly price: number
  readonly amount: number
}

/** The balance of each account in each asset. The key is `<asset>/<owner>`. */
const balances = createTable('balance', integers)
/** The waiting orders. The key has side, price and number, so that the first key of a side is the best order. */
const book = createTable<Order>('book')
/** The key in the book for the id of each order. */
const places = createTable<string>('place')
const counters = createTable<number>('counter')

const MAX_PRICE = 1_000_000_000
/** The maximum number of orders that a transaction matches, so that the cost of a block is bounded. */
const MAX_MATCHES = 100

const owner = z.string().regex(/^[0-9A-F]{40}$/)
const whole = z.int().min(1).max(MAX_PRICE)

/** Adds `by` to a balance. A negative value takes money away. */
function pay(state: State, key: `${Asset}/${string}`, by: bigint): void {
  const balance = (balances.get(state, key) ?? 0n) + by
  if (balance < 0n) refuse(`the balance of ${key} is ${balance - by}, less than ${-by}`, 1)
  balances.set(state, key, balance)
}

/**
 * Returns the key of an order in the book. Orders with the best price come first, and older orders come before newer
 * ones.
 */
function placeOf({ side, price, id }: Order): string {
  const rank = side === 'sell' ? price : MAX_PRICE - price
  return `${side}/${String(rank).padStart(10, '0')}/${id}`
}

/** Moves the money of an order from its owner to the market (`sign` 1), or back to the owner (`sign` -1). */
function hold(state: State, { side, owner: who, price, amount }: Order, sign: 1n | -1n): void {
  if (side === 'sell') pay(state, `gold/${who}`, -sign * BigInt(amount))
  else pay(state, `coins/${who}`, -sign * BigInt(amount) * BigInt(price))
}

/**
 * Trades the smaller of the two amounts, at the price of the older order. The market already holds the money of both
 * orders.
 */
function exchange({ state, emit }: Context, taker: Order, maker: Order): number {
  const amount = Math.min(taker.amount, maker.amount)
  const [buyer, seller] = taker.side === 'buy' ? [taker, maker] : [maker, taker]
  pay(state, `gold/${buyer.owner}`, BigInt(amount))
  pay(state, `coins/${seller.owner}`, BigInt(amount) * BigInt(maker.price))
  // The market held the money for the buyer's own limit price. The buyer gets the difference back.
  pay(state, `coins/${buyer.owner}`, BigInt(amount) * BigInt(buyer.price - maker.price))
  emit('trade', { price: maker.price, amount, buyer: buyer.owner, seller: seller.owner })
  return amount
}

const fits = (taker: Order, maker: Order): boolean =>
  taker.side === 'buy' ? maker.price <= taker.price : maker.price >= taker.price

function place(context: Context, { side, price, amount }: Pick<Order, 'side' | 'price' | 'amount'>) {
  const { state, signer, emit } = context
  const number = counters.get(state, 'orders') ?? 0
  counters.set(state, 'orders', number + 1)
  let order: Order = { id: String(number).padStart(10, '0'), owner: signer, side, price, amount }
  hold(state, order, 1n)
  for (let matches = 0; order.amount > 0 && matches < MAX_MATCHES; matches++) {
    const [best] = book.entries(state, { prefix: side === 'buy' ? 'sell/' : 'buy/' })
    if (best === undefined || !fits(order, best[1])) break
    const [key, maker] = best
    const traded = exchange(context, order, maker)
    order = { ...order, amount: order.amount - traded }
    if (maker.amount > traded) book.set(state, key, { ...maker, amount: maker.amount - traded })
    else {
      book.delete(state, key)
      places.delete(state, maker.id)
    }
  }
  if (order.amount > 0) {
    book.set(state, placeOf(order), order)
    places.set(state, order.id, placeOf(order))
    emit('order', { id: order.id, side, price, amount: order.amount })
  }
  return { id: order.id, waiting: order.amount }
}

const cancel = message(z.string(), ({ state, signer, emit }, id) => {
  const key = places.get(state, id) ?? refuse(`there is no open order ${id}`, 2)
  const order = book.get(state, key) as Order
  if (order.owner !== signer) refuse(`the order ${id} belongs to ${order.owner}`, 3)
  hold(state, order, -1n)
  book.delete(state, key)
  places.delete(state, id)
  emit('cancel', { id })
})

const accounts = z.record(owner, z.object({ gold: whole.optional(), coins: whole.optional() }))

export const app = (options: Partial<AppOptions> = {}): App =>
  createApp({
    name: 'order-book',
    genesis: message(accounts, ({ state }, all) => {
      for (const [who, { gold = 0, coins = 0 }] of Object.entries(all)) {
        pay(state, `gold/${who}`, BigInt(gold))
        pay(state, `coins/${who}`, BigInt(coins))
      }
    }),
    messages: {
      place: message(z.object({ side: z.enum(['buy', 'sell']), price: whole, amount: whole }), place),
      cancel,
    },
    queries: {
      balance: query(owner, ({ state }, who) => {
        const of = (asset: Asset): bigint => balances.get(state, `${asset}/${who}`) ?? 0n
        return { gold: of('gold'), coins: of('coins') }
      }),
      book: query(z.enum(['buy', 'sell']), ({ state }, side) => {
        return [...book.entries(state, { prefix: `${side}/` })].slice(0, 50).map(([, order]) => order)
      }),
    },
    ...options,
  })
