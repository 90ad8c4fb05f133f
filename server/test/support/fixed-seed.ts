// In charge of property tests drawing the same cases in every run, so that a change of the result always comes from a change of
// the code. `FAST_CHECK_SEED=n npm test` draws other cases.
import { configureGlobal, readConfigureGlobal } from 'fast-check'

configureGlobal({ ...readConfigureGlobal(), seed: Number(process.env.FAST_CHECK_SEED ?? 20_261_122) })
