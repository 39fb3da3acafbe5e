# Headers that most sources share, compiled once for the libraries and once, with GoogleTest, for the tests. A convenience
# of the build alone: every source includes what it uses, which the linter's build (PPDNMF_PRECOMPILE=OFF) shows.
if(NOT PPDNMF_PRECOMPILE)
  return()
endif()
set(PPDNMF_SHARED_HEADERS <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <numeric> <optional>
    <span> <string> <string_view> <utility> <variant> <vector> <fmt/format.h> <tl/expected.hpp>)
file(WRITE ${CMAKE_BINARY_DIR}/precompiled.cc "")

# ppdnmf_precompiled(name headers...): an object of nothing but headers, for others to reuse.
function(_ppdnmf_precompiled name pie)
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/precompiled.cc)
  target_link_libraries(${name} PRIVATE fmt::fmt tl::expected Eigen3::Eigen)
  target_compile_definitions(${name} PRIVATE EIGEN_STACK_ALLOCATION_LIMIT=1048576)
  target_precompile_headers(${name} PRIVATE ${ARGN})
  if(pie)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF COMPILE_OPTIONS "${CMAKE_CXX_COMPILE_OPTIONS_PIE}")
  endif()
endfunction()
_ppdnmf_precompiled(ppdnmf_precompiled OFF ${PPDNMF_SHARED_HEADERS})
_ppdnmf_precompiled(ppdnmf_precompiled_eigen OFF ${PPDNMF_SHARED_HEADERS} <Eigen/Core>)
