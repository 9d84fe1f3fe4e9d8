import { describe } from 'vitest'
import { createBubblewrapRunner } from '../../../src/ci/runners/bubblewrap.ts'
import { needs } from '../../helpers/require.ts'
import { isBubblewrapHere } from './at-hand.ts'
import { hostileContract } from './hostile-contract.ts'
import { sandboxContract } from './sandbox-contract.ts'

describe.skipIf(needs('bubblewrap', isBubblewrapHere))('bubblewrap', () => {
  describe('sandbox', () => sandboxContract((workFolder) => createBubblewrapRunner({ workFolder })))
  describe('hostile code', () => hostileContract((workFolder) => createBubblewrapRunner({ workFolder })))
})
