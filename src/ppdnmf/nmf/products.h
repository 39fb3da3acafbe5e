// Products whose bits do not depend on the machine.
//
// Eigen splits the sums inside a matrix product into blocks whose size it takes from the processor's caches; another
// block size rounds differently. With the sizes fixed, the same inputs give the same bytes on every machine.
#ifndef PPDNMF_NMF_PRODUCTS_H_
#define PPDNMF_NMF_PRODUCTS_H_

namespace ppdnmf::nmf {

// Call before the first product; later calls do nothing. Safe from any thread.
void fix_product_blocking();

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_PRODUCTS_H_
