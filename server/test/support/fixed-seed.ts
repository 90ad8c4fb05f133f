// In charge of property tests drawing the same cases in every run: a run of the test command says something about the
// code alone. `FAST_CHECK_SEED=n npm test` draws others.
import { configureGlobal, readConfigureGlobal } from 'fast-check'

configureGlobal({ ...readConfigureGlobal(), seed: Number(process.env.FAST_CHECK_SEED ?? 20_261_122) })
