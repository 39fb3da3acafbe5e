# The kinds of target this project has.

# Rooms are compiled several sources at a time: the headers they share (Eigen's above all) are read once for all of them.
# For work on one file switch it off (-DPPDNMF_UNITY=OFF, as the preset dev does).
option(PPDNMF_UNITY "Compile several sources of a room at a time" ON)
set(PPDNMF_UNITY_BATCH 12)

# The rooms that strangers can use, and that are installed.
set(PPDNMF_PUBLIC_ROOMS base data nmf crypto privacy protocol sim io)

# ppdnmf_library(nmf SOURCES a.cc b.cc USES base Eigen3::Eigen [PRIVATE_USES ...])
# Makes ppdnmf_nmf (alias ppdnmf::nmf) from the current folder; without SOURCES it is headers alone. USES without '::'
# name other folders.
function(ppdnmf_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;USES;PRIVATE_USES" ${ARGN})
  if(arg_SOURCES)
    set(scope PUBLIC)
    add_library(ppdnmf_${name} STATIC ${arg_SOURCES})
    _ppdnmf_unite(ppdnmf_${name})
    set_property(GLOBAL APPEND PROPERTY PPDNMF_ROOMS ${name})
  else()
    set(scope INTERFACE)
    add_library(ppdnmf_${name} INTERFACE)
  endif()
  add_library(ppdnmf::${name} ALIAS ppdnmf_${name})
  set_target_properties(ppdnmf_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(ppdnmf_${name} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                                                     $<INSTALL_INTERFACE:include>)
  target_compile_features(ppdnmf_${name} ${scope} cxx_std_20)
  _ppdnmf_link(ppdnmf_${name} ${scope} ${arg_USES})
  if(arg_PRIVATE_USES)
    _ppdnmf_link(ppdnmf_${name} PRIVATE ${arg_PRIVATE_USES})
  endif()
endfunction()

# ppdnmf_test(nmf SOURCES a_test.cc USES nmf [ALONE b_test.cc] [TIMEOUT seconds] [COST number] [SERIAL])
# One GoogleTest program <name>_test; every TEST in it is a ctest of its own. ALONE are sources with a name in their
# anonymous namespace that another source has too. Tests with a high COST are started first, so that processors end together.
function(ppdnmf_test name)
  if(NOT PPDNMF_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "SERIAL" "TIMEOUT;COST" "SOURCES;USES;ALONE" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(${name}_test ${arg_SOURCES} ${arg_ALONE})
  _ppdnmf_unite(${name}_test)
  set_property(SOURCE ${arg_ALONE} PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
  _ppdnmf_link(${name}_test PRIVATE ${arg_USES} GTest::gmock GTest::gtest GTest::gtest_main)
  _ppdnmf_test_headers(${name}_test)
  set(properties TIMEOUT ${arg_TIMEOUT} LABELS ${name})
  if(arg_SERIAL)
    list(APPEND properties RUN_SERIAL ON)
  endif()
  if(arg_COST)
    list(APPEND properties COST ${arg_COST})
  endif()
  gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST PROPERTIES ${properties})
endfunction()

# ppdnmf_fuzz(npy SOURCES npy_fuzz.cc USES io): a libFuzzer program fuzz_<name>; a run starts from tests/fuzz/corpus/<name>.
function(ppdnmf_fuzz name)
  if(NOT PPDNMF_FUZZ)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;USES" ${ARGN})
  add_executable(fuzz_${name} ${arg_SOURCES})
  _ppdnmf_link(fuzz_${name} PRIVATE ${arg_USES})
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
endfunction()

function(_ppdnmf_unite target)
  if(PPDNMF_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${PPDNMF_UNITY_BATCH})
  endif()
endfunction()

# Headers that nearly all tests include, compiled once. Tests are not optimised much: what takes time is in the rooms.
function(_ppdnmf_test_headers target)
  if(NOT PPDNMF_UNITY)
    return()
  endif()
  if(NOT TARGET ppdnmf_test_headers)
    file(WRITE ${CMAKE_BINARY_DIR}/test_headers.cc "int main() {}\n")
    add_executable(ppdnmf_test_headers ${CMAKE_BINARY_DIR}/test_headers.cc)
    _ppdnmf_link(ppdnmf_test_headers PRIVATE data GTest::gmock GTest::gtest)
    target_compile_options(ppdnmf_test_headers PRIVATE -pthread $<$<CONFIG:Release>:-O1>)
    target_precompile_headers(ppdnmf_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h> <Eigen/Core> <fmt/format.h>
      <algorithm> <filesystem> <fstream> <functional> <map> <memory> <optional> <span> <string> <variant> <vector>)
  endif()
  _ppdnmf_link(${target} PRIVATE data)  # the same flags, or the compiler will not take it
  target_compile_options(${target} PRIVATE -pthread $<$<CONFIG:Release>:-O1>)
  target_precompile_headers(${target} REUSE_FROM ppdnmf_test_headers)
endfunction()

function(_ppdnmf_link target scope)
  foreach(used ${ARGN})
    if(used MATCHES "::")
      target_link_libraries(${target} ${scope} ${used})
    else()
      target_link_libraries(${target} ${scope} ppdnmf::${used})
    endif()
  endforeach()
endfunction()
